// Recollect for OpenClaw: hands each event to the launcher beside this file, and the model what comes
// back. Everything else is decided there. Nothing here may fail OpenClaw, or keep it waiting for long.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const LAUNCHER = fileURLToPath(new URL("launch.sh", import.meta.url))

// Written by `recollect setup`, if it is not the usual one.
const CHOSEN_HOME = ""
const ENV = CHOSEN_HOME ? { ...process.env, RECOLLECT_HOME: CHOSEN_HOME } : process.env

// A hook takes some 50 ms and ends itself after 1.2 s; longer than that, nobody waits for its answer.
const PATIENCE_MS = 1500
// After one was late, nobody waits for the next ones: they are handed over all the same.
const GRUDGE_MS = 60_000
// One that takes this long does nothing any more.
const HOPELESS_MS = 10_000
let impatientUntil = 0
const takeOffence = () => (impatientUntil = Date.now() + GRUDGE_MS)

// Claude Code's names: what reads the events knows these.
const NAMES = { exec: "Bash", read: "Read", write: "Write", edit: "Edit", web_fetch: "WebFetch" }
// What memory said is no news to it.
const SILENT = /^(?:recollect__.*|tool_search)$/

/** Hand over *event*; resolves to the answer, in time and in any case. */
function launch(event) {
  return new Promise((resolve) => {
    let printed = ""
    const command = ["-c", '[ -r "$0" ] && . "$0"; exit 0', LAUNCHER, event.hook_event_name, "openclaw"]
    const child = spawn("sh", command, { detached: true, env: ENV, stdio: ["pipe", "pipe", "ignore"] })
    const late = setTimeout(() => (takeOffence(), letGo(child), resolve({})), PATIENCE_MS)
    const hopeless = setTimeout(() => end(child.pid), HOPELESS_MS)
    hopeless.unref()
    const done = (answer) => (clearTimeout(late), clearTimeout(hopeless), resolve(answer))
    child.on("error", () => done({}))
    child.on("close", () => done(parsed(printed)))
    child.stdout.setEncoding("utf8").on("data", (data) => (printed += data))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
    if (Date.now() < impatientUntil) resolve({})
  })
}

let before = Promise.resolve({})

/** The same, after the events before it: nobody waits for a tool's, but a turn ends behind its tools. */
function send(event) {
  before = before.then(() => launch(event)).catch(() => ({}))
  return before
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

const text = (content) =>
  typeof content === "string" ? content : (content || []).map((part) => part.text || "").join("")

/** *params* with the keys that Claude Code has. */
const renamed = ({ path, ...params }) => (path ? { ...params, file_path: path } : params)

/** *work* as a handler: a lost memory is better than a broken session. */
const safely = (work) => async (event, context) => {
  try {
    return await work(event, context)
  } catch {
    return undefined
  }
}

const begun = new Set() // sessions that were told what is known
const asked = new Set() // runs that answer a person
const folders = new Map() // session → the folder it works in

/** Two agents may have sessions of the same id. */
const session = ({ agentId, sessionKey, sessionId }) => {
  const agent = agentId || /^agent:([^:]+):/.exec(sessionKey)?.[1]
  return agent ? `${agent}:${sessionId}` : sessionId
}

const said = (context, name, more) => {
  const id = session(context)
  if (context.workspaceDir) folders.set(id, context.workspaceDir)
  const timestamp = new Date().toISOString()
  return { session_id: id, cwd: folders.get(id), hook_event_name: name, timestamp, ...more }
}

/** Heartbeats and timers are nobody's words. */
const isPerson = ({ sessionId, trigger }) => sessionId && (!trigger || trigger === "user")

async function prompted({ prompt, currentUserMessage, messages }, context) {
  if (!isPerson(context)) return undefined
  asked.add(context.runId)
  const answers = []
  if (!begun.has(session(context))) {
    begun.add(session(context))
    const source = messages?.length ? "resume" : "startup"
    answers.push(await send(said(context, "SessionStart", { source })))
  }
  const words = typeof currentUserMessage === "string" ? currentUserMessage : prompt
  answers.push(await send(said(context, "UserPromptSubmit", { prompt: words, prompt_id: context.runId })))
  const known = answers.map((answer) => answer.hookSpecificOutput?.additionalContext).filter(Boolean)
  return known.length ? { prependContext: known.join("\n\n") } : undefined
}

async function used({ toolName, params, toolCallId, result, error }, context) {
  if (!asked.has(context.runId) || SILENT.test(toolName)) return
  const call = { tool_name: NAMES[toolName] || toolName, tool_input: renamed(params || {}), tool_use_id: toolCallId }
  const outcome = { output: text(result?.content), exit: result?.details?.exitCode }
  if (error) send(said(context, "PostToolUseFailure", { ...call, error }))
  else send(said(context, "PostToolUse", { ...call, tool_response: outcome }))
}

async function answered({ messages, success }, context) {
  if (!asked.delete(context.runId)) return
  const last_assistant_message = success === false ? "" : answer(messages || [])
  await send(said(context, "Stop", { last_assistant_message }))
}

/** The last words since the prompt; what stands before it answered another one. */
function answer(messages) {
  const prompt = messages.findLastIndex((message) => message.role === "user")
  const since = messages.slice(prompt + 1)
  return text(since.findLast((message) => message.role === "assistant" && text(message.content))?.content)
}

async function ended({ reason, ...event }, context) {
  const ending = { ...context, ...event }
  if (!begun.delete(session(ending))) return
  await send(said(ending, "SessionEnd", { reason: reason || "other" }))
  folders.delete(session(ending))
}

export default {
  id: "recollect",
  name: "Recollect",
  description: "A memory for OpenClaw: local, fast, readable.",
  register(api) {
    api.on("before_prompt_build", safely(prompted))
    api.on("after_tool_call", safely(used))
    api.on("agent_end", safely(answered))
    api.on("session_end", safely(ended))
  },
}
