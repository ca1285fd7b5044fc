// One session as OpenClaw tells a plugin of it, with some that makes no sense.
import plugin from "./plugin.mjs"
const handlers = {}
plugin.register({ on: (name, handler) => (handlers[name] = handler) })
const context = { sessionId: "s1", runId: "r1", workspaceDir: "/shop", trigger: "user" }
const parts = await handlers.before_prompt_build({ prompt: "Why is it slow?", messages: [] }, context)
await handlers.before_prompt_build({ prompt: "tick" }, { ...context, trigger: "heartbeat" })
const tool = { sessionId: "s1", runId: "r1" }
const result = { content: [{ type: "text", text: "7" }], details: { exitCode: 0 } }
await handlers.after_tool_call({ toolName: "exec", params: { command: "echo 7" }, toolCallId: "c1", result }, tool)
await handlers.after_tool_call({ toolName: "read", params: { path: "/gone" }, toolCallId: "c2", error: "gone" }, tool)
await handlers.after_tool_call({ toolName: "recollect__search", params: {}, toolCallId: "c3" }, tool)
await handlers.after_tool_call({ toolName: "exec", params: {}, toolCallId: "c4", result }, { ...tool, runId: "tick" })
const messages = [{ role: "assistant", content: [{ type: "text", text: "An N+1 query." }] }]
await handlers.agent_end({ messages }, context)
await handlers.agent_end(undefined, undefined)
await handlers.session_end({ sessionId: "s1", reason: "new" }, {})
console.log(JSON.stringify({ parts, toasts: [] }))
