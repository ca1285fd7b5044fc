// One session as OpenCode tells a plugin of it, with some that makes no sense.
import { Recollect } from "./plugin.mjs"
const toasts = []
const client = { tui: { showToast: async ({ body }) => toasts.push(body.message) } }
const hooks = await Recollect({ client, directory: "/shop" })
const happens = (type, properties) => hooks.event({ event: { type, properties } })
const parts = [{ id: "prt_1", type: "text", text: "Why is it slow?" }]
await happens("session.created", { info: { id: "s1" } })
await hooks["chat.message"]({ sessionID: "s1" }, { message: { id: "m1" }, parts })
await hooks["tool.execute.after"](
  { tool: "write", sessionID: "s1", callID: "c1", args: { filePath: "/shop/db.py" } },
  { output: "Wrote it.", metadata: {} },
)
await hooks["tool.execute.after"]({ tool: "glob", sessionID: "s1", callID: "c2", args: {} }, { output: "" })
const ran = { output: "KeyError: 'sku'", metadata: { exit: 1 } }
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c4", args: { command: "make" } }, ran)
const state = { status: "error", input: { filePath: "/gone" }, error: "File not found" }
await happens("message.part.updated", { sessionID: "s1", part: { tool: "read", callID: "c3", state } })
await happens("session.created", { info: { id: "s2", parentID: "s1" } })
await hooks["chat.message"]({ sessionID: "s2" }, { message: { id: "m2", agent: "general" }, parts: [{ ...parts[0] }] })
await hooks["experimental.text.complete"]({ sessionID: "s1", messageID: "m3" }, { text: "An N+1 query." })
await hooks["chat.message"]({}, {})
await happens("nonsense", {})
await new Promise((resolve) => setTimeout(resolve, 300))
await happens("session.idle", { sessionID: "s1" })
await hooks.dispose()
console.log(JSON.stringify({ parts, toasts, ran }))
