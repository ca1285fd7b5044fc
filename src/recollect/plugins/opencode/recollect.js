// Recollect for OpenCode: hands each event to the launcher, and the model what comes back.
// Everything else is decided there. Nothing here may fail OpenCode, or keep it waiting for long.
import { spawn, spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

// Written by `recollect setup`, if it is not the usual one.
const CHOSEN_HOME = ""
const HOME = CHOSEN_HOME || process.env.RECOLLECT_HOME || join(homedir(), ".recollect")
const LAUNCHER = join(HOME, "plugin/claude-code/hooks/launch.sh")
const ENV = { ...process.env, RECOLLECT_HOME: HOME }

// A hook takes some 50 ms and ends itself after 1.2 s; longer than that, nobody waits for its answer.
const PATIENCE_MS = 1500
// After one was late, nobody waits for the next ones: they are handed over all the same.
const GRUDGE_MS = 60_000
// One that takes this long does nothing any more.
const HOPELESS_MS = 10_000
let impatientUntil = 0
const impatient = () => Date.now() < impatientUntil
const takeOffence = () => (impatientUntil = Date.now() + GRUDGE_MS)

// Claude Code's names: what reads the events knows these.
const NAMES = { bash: "Bash", read: "Read", write: "Write", edit: "Edit", task: "Task", webfetch: "WebFetch" }
// Nothing to remember in these; and what memory said is no news to it.
const SILENT = /^(?:glob|grep|list|todoread|todowrite|skill|question|recollect_.*)$/

const START = '[ -r "$0" ] && . "$0"'
const given = (event) => [LAUNCHER, event.hook_event_name, "opencode"]

/** Hand over *event*; resolves to the answer, in time and in any case. */
function send(event) {
  return new Promise((resolve) => {
    let printed = ""
    const options = { detached: true, env: ENV, stdio: ["pipe", "pipe", "ignore"] }
    const child = spawn("sh", ["-c", `${START}; exit 0`, ...given(event)], options)
    const late = setTimeout(() => (takeOffence(), letGo(child), resolve({})), PATIENCE_MS)
    const hopeless = setTimeout(() => end(child.pid), HOPELESS_MS)
    hopeless.unref()
    const done = (answer) => (clearTimeout(late), clearTimeout(hopeless), resolve(answer))
    child.on("error", () => done({}))
    child.on("close", () => done(parsed(printed)))
    child.stdout.setEncoding("utf8").on("data", (data) => (printed += data))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
    if (impatient()) resolve({})
  })
}

/** The same, before this returns: once a session is idle, `opencode run` ends within milliseconds. */
function sendNow(event) {
  // The shell reads the event first: what goes on behind it needs neither the shell nor this process.
  const behind = `said=$(cat); printf %s "$said" | { ${START}; } & ${impatient() ? "" : "wait"}`
  const options = { detached: true, env: ENV, killSignal: "SIGKILL", stdio: ["pipe", "ignore", "ignore"] }
  const waiting = { ...options, input: JSON.stringify(event), timeout: PATIENCE_MS }
  const { pid, signal } = spawnSync("sh", ["-c", behind, ...given(event)], waiting)
  if (signal) takeOffence()
  if (impatient()) setTimeout(() => end(pid), HOPELESS_MS).unref()
}

/** Leave *child* alone, which may outlive this process. */
function letGo(child) {
  for (const one of [child, child.stdin, child.stdout]) one.unref?.()
}

/** End a launcher that hangs, with all it started. */
function end(pid) {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // It went by itself.
  }
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

/** What the user sent: the words or, without any, the names of what came instead. */
function words(parts) {
  const typed = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
  const named = parts.map((part) => part.filename || part.name || part.description).filter(Boolean)
  return typed.length ? typed.map((part) => part.text).join("\n\n") : named.map((name) => `[${name}]`).join(" ")
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
  const kinds = new Map() // a subagent's session → what kind of agent it is
  const fresh = new Map() // a session that has to be told what is known → why
  const said = new Map() // session → the last text of its agent since the prompt
  const live = new Set() // sessions to be ended with this process
  const summaries = new Set() // messages that sum up a conversation: no answers

  const event = (session, name, more) => {
    const main = parents.get(session) || session
    const agent = main === session ? {} : { agent_id: session, agent_type: kinds.get(session) }
    const timestamp = new Date().toISOString() // one may overtake another on its way
    return { session_id: main, cwd: directory, hook_event_name: name, timestamp, ...agent, ...more }
  }
  const call = (tool, input, id) => ({ tool_name: NAMES[tool] || tool, tool_input: renamed(input), tool_use_id: id })

  const prompted = async ({ sessionID }, { message, parts }) => {
    const prompt = words(parts)
    if (!prompt) return
    said.delete(sessionID)
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
    if (parents.has(session)) {
      kinds.set(session, message.agent)
      return [event(session, "SubagentStart")]
    }
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
    const exit = output.metadata?.exit
    const tool_response = { output: output.output, content: output.content, exit }
    const told = { ...call(tool, args, callID), tool_response }
    if (!exit) return void safely(send)(event(sessionID, "PostToolUse", told))
    const error = `Exit code ${exit}\n${output.output}`
    // While nobody waits for answers, nobody asks: one would be taken for shown.
    if (impatient()) return void safely(send)(event(sessionID, "PostToolUse", { ...told, error }))
    const answer = await send(event(sessionID, "PostToolUseFailure", { ...told, error }))
    const known = answer.hookSpecificOutput?.additionalContext
    if (known) output.output += `\n\n${known}`
    tell([answer.systemMessage])
  }

  // Nothing can be added any more to what the model is told of it, so nobody is asked.
  const failed = ({ sessionID, part: { tool, callID, state } }) => {
    const error = event(sessionID, "PostToolUse", { ...call(tool, state.input, callID), error: state.error })
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
      said.delete(session)
    } else if (type === "session.deleted") {
      if (live.delete(session)) sendNow(event(session, "SessionEnd", { reason: "other" }))
      for (const known of [parents, kinds, fresh, said]) known.delete(session)
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
