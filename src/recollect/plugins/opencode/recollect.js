// Recollect for OpenCode: hands each event to the launcher, and the model what comes back.
// Everything else is decided there. Nothing here may fail OpenCode, or keep it waiting for long.
import { spawn, spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

const HOME = process.env.RECOLLECT_HOME || join(homedir(), ".recollect")
const LAUNCHER = join(HOME, "plugin/claude-code/hooks/launch.sh")

// A hook takes some 50 ms and ends itself after 1.2 s; this is for one that hangs.
const PATIENCE_MS = 1000
// After one hung, nobody waits for the next ones.
const GRUDGE_MS = 60_000
let impatientUntil = 0

// Claude Code's names: what reads the events knows these.
const NAMES = { bash: "Bash", read: "Read", write: "Write", edit: "Edit", task: "Task", webfetch: "WebFetch" }
// Nothing to remember in these; and what memory said is no news to it.
const SILENT = /^(?:glob|grep|list|todoread|todowrite|skill|question|recollect_.*)$/

const launch = (event) => ["-c", '[ -r "$0" ] && . "$0"; exit 0', LAUNCHER, event.hook_event_name, "opencode"]

/** Hand over *event*; resolves to the answer, in time and in any case. */
function send(event) {
  return new Promise((resolve) => {
    let printed = ""
    const child = spawn("sh", launch(event), { detached: true, stdio: ["pipe", "pipe", "ignore"] })
    const hung = setTimeout(() => resolve(givenUp(child.pid)), PATIENCE_MS)
    const done = (answer) => (clearTimeout(hung), resolve(answer))
    child.on("error", () => done({}))
    child.on("close", () => done(parsed(printed)))
    child.stdout.on("data", (data) => (printed += data))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
    if (Date.now() < impatientUntil) resolve({})
  })
}

/** The same, before this returns: once a session is idle, `opencode run` ends within milliseconds. */
function sendNow(event) {
  if (Date.now() < impatientUntil) return
  const options = { detached: true, killSignal: "SIGKILL", stdio: ["pipe", "ignore", "ignore"], timeout: PATIENCE_MS }
  const done = spawnSync("sh", launch(event), { ...options, input: JSON.stringify(event) })
  if (done.signal) givenUp(done.pid)
}

/** End a launcher that hangs, with all it started. */
function givenUp(pid) {
  impatientUntil = Date.now() + GRUDGE_MS
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // It went by itself.
  }
  return {}
}

function parsed(printed) {
  try {
    return JSON.parse(printed)
  } catch {
    return {}
  }
}

/** *input* with keys as Claude Code has them: filePath → file_path. */
function renamed(input) {
  const entries = Object.entries(input || {})
  return Object.fromEntries(entries.map(([key, value]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]))
}

/** *work* as a hook: a lost memory is better than a broken session. */
const safely =
  (work) =>
  async (...given) => {
    try {
      await work(...given)
    } catch {}
  }

export const Recollect = async ({ client, directory }) => {
  const parents = new Map() // a subagent's session → the session that started it
  const fresh = new Map() // a session that has to be told what is known → why
  const said = new Map() // session → the last text of its agent
  const live = new Set() // sessions to be ended with this process
  const summaries = new Set() // messages that sum up a conversation: no answers

  const event = (session, name, more) => {
    const main = parents.get(session) || session
    const agent = main === session ? {} : { agent_id: session }
    return { session_id: main, cwd: directory, hook_event_name: name, ...agent, ...more }
  }
  const call = (tool, input, id) => ({ tool_name: NAMES[tool] || tool, tool_input: renamed(input), tool_use_id: id })

  const prompted = async ({ sessionID }, { message, parts }) => {
    const typed = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
    if (!typed.length) return
    const prompt = typed.map((part) => part.text).join("\n\n")
    const answers = []
    for (const one of opening(sessionID, message, prompt)) answers.push(await send(one))
    const known = answers.map((answer) => answer.hookSpecificOutput?.additionalContext)
    const text = known.filter(Boolean).join("\n\n")
    // Parts are sorted by id: this one comes right behind the prompt.
    const place = { id: `${parts.at(-1).id}r`, sessionID, messageID: message.id }
    if (text) parts.push({ ...place, type: "text", text, synthetic: true })
    tell(answers.map((answer) => answer.systemMessage))
  }

  /** The events of a prompt; the first of a session also begins it. */
  const opening = (session, message, prompt) => {
    if (parents.has(session)) return [event(session, "SubagentStart", { agent_type: message.agent })]
    live.add(session)
    const source = fresh.get(session)
    fresh.delete(session)
    const begins = source ? [event(session, "SessionStart", { source })] : []
    return [...begins, event(session, "UserPromptSubmit", { prompt, prompt_id: message.id })]
  }

  const tell = (messages) => {
    const message = messages.filter(Boolean).join("\n")
    if (message) client.tui.showToast({ body: { message, variant: "info" } }).catch(() => {})
  }

  const used = async ({ tool, sessionID, callID, args }, output) => {
    if (SILENT.test(tool)) return
    // A tool of an MCP server answers with content instead of an output.
    const tool_response = { output: output.output, content: output.content, exit: output.metadata?.exit }
    safely(send)(event(sessionID, "PostToolUse", { ...call(tool, args, callID), tool_response }))
  }

  const failed = ({ sessionID, part: { tool, callID, state } }) => {
    const error = event(sessionID, "PostToolUseFailure", { ...call(tool, state.input, callID), error: state.error })
    if (!SILENT.test(tool)) safely(send)(error)
  }

  const heard = async ({ event: { type, properties } }) => {
    const session = properties.sessionID || properties.info?.id
    if (type === "session.created") {
      if (properties.info.parentID) parents.set(session, properties.info.parentID)
      else fresh.set(session, "startup")
    } else if (type === "session.compacted") {
      fresh.set(session, "compact")
    } else if (type === "message.updated" && properties.info.summary === true) {
      summaries.add(properties.info.id)
    } else if (type === "message.part.updated" && properties.part.state?.status === "error") {
      failed(properties)
    } else if (type === "session.idle") {
      const name = parents.has(session) ? "SubagentStop" : "Stop"
      sendNow(event(session, name, { last_assistant_message: said.get(session) || "" }))
    } else if (type === "session.deleted" && live.delete(session)) {
      sendNow(event(session, "SessionEnd", { reason: "other" }))
    }
  }

  return {
    "chat.message": safely(prompted),
    "tool.execute.after": safely(used),
    "experimental.text.complete": safely(({ sessionID, messageID }, { text }) => {
      if (!summaries.has(messageID)) said.set(sessionID, text)
    }),
    "experimental.session.compacting": safely(({ sessionID }) => send(event(sessionID, "PreCompact", { trigger: "auto" }))),
    event: safely(heard),
    dispose: safely(() => {
      for (const session of live) sendNow(event(session, "SessionEnd", { reason: "exit" }))
    }),
  }
}
