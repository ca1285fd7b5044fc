// Recollect for OpenClaw: hands each event to the launcher beside this file, and the model what comes
// back. Everything else is decided there. Nothing here may fail OpenClaw, or keep it waiting for long.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const LAUNCHER = fileURLToPath(new URL("launch.sh", import.meta.url))

// A hook takes some 50 ms and ends itself after 1.2 s; this is for one that hangs.
const PATIENCE_MS = 1000

// Claude Code's names: what reads the events knows these.
const NAMES = { exec: "Bash", read: "Read", write: "Write", edit: "Edit", web_fetch: "WebFetch" }
// What memory said is no news to it.
const SILENT = /^(?:recollect__.*|tool_search)$/

/** Hand over *event*; resolves to the answer, in time and in any case. */
function send(event) {
  return new Promise((resolve) => {
    let printed = ""
    const command = ["-c", '[ -r "$0" ] && . "$0"; exit 0', LAUNCHER, event.hook_event_name, "openclaw"]
    const child = spawn("sh", command, { detached: true, stdio: ["pipe", "pipe", "ignore"] })
    const hung = setTimeout(() => resolve(givenUp(child.pid)), PATIENCE_MS)
    const done = (answer) => (clearTimeout(hung), resolve(answer))
    child.on("error", () => done({}))
    child.on("close", () => done(parsed(printed)))
    child.stdout.on("data", (data) => (printed += data))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

/** End a launcher that hangs, with all it started. */
function givenUp(pid) {
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

const said = ({ sessionId, workspaceDir }, name, more) => {
  if (workspaceDir) folders.set(sessionId, workspaceDir)
  return { session_id: sessionId, cwd: folders.get(sessionId), hook_event_name: name, ...more }
}

/** Heartbeats and timers are nobody's words. */
const isPerson = ({ sessionId, trigger }) => sessionId && (!trigger || trigger === "user")

async function prompted({ prompt, currentUserMessage, messages }, context) {
  if (!isPerson(context)) return undefined
  asked.add(context.runId)
  const answers = []
  if (!begun.has(context.sessionId)) {
    begun.add(context.sessionId)
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
  if (error) await send(said(context, "PostToolUseFailure", { ...call, error }))
  else await send(said(context, "PostToolUse", { ...call, tool_response: outcome }))
}

async function answered({ messages }, context) {
  if (!asked.delete(context.runId)) return
  const last = (messages || []).findLast((message) => message.role === "assistant" && text(message.content))
  await send(said(context, "Stop", { last_assistant_message: text(last?.content) }))
}

async function ended({ sessionId, reason }, context) {
  const session = sessionId || context?.sessionId
  if (!begun.delete(session)) return
  await send(said({ sessionId: session }, "SessionEnd", { reason: reason || "other" }))
  folders.delete(session)
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
