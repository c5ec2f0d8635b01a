import { createInterface } from "node:readline"
import { UsageError } from "../../config"
import { takeApiKey } from "../../config/secrets"
import { printMore } from "../../core/lib/process/output"
import { messageOf } from "../../core/lib/refusal"
import { version } from "../../version"
import type { Command } from "../command"

export const mcpCommand: Command = {
  name: "mcp",
  summary: "Let an assistant on this machine use a server, over standard input and output",
  usage: "[--url URL]",
  examples: [
    "KONTOR_API_KEY=kon_… kontor mcp",
    "KONTOR_API_KEY_FILE=~/.kontor-key kontor mcp --url https://shop.example.com",
  ],
  takes: ["url"],
  async run({ config: { url } }) {
    const key = takeApiKey()
    if (key === null)
      throw new UsageError(
        'The API key is missing: set KONTOR_API_KEY (or KONTOR_API_KEY_FILE). "kontor keys create" makes one.',
      )
    await forward(url, key)
  },
}

type Id = string | number
type Message = {
  id?: Id
  method?: string
  params?: { name?: unknown; requestId?: Id; clientInfo?: Named; _meta?: Record<string, unknown> }
}
type Named = { name?: unknown; version?: unknown }

const meta = "io.modelcontextprotocol/protocolVersion"
const internalError = -32603

/** Sends each line of the input to the server, and prints each answer as a line, until the input ends. */
async function forward(url: string, key: string): Promise<void> {
  const running = new Map<Id, AbortController>()
  const pending = new Set<Promise<void>>()
  // What `initialize` has settled: the server keeps nothing of it, so each request says it again.
  const settled = { version: "", client: "" }

  const answer = async (line: string, message: Message, signal: AbortSignal): Promise<void> => {
    const text = await sent(`${url}/mcp`, line, headersOf(message, settled, key), signal)
    if (message.id === undefined || signal.aborted) return
    const response = readAnswer(text, message.id)
    if (message.method === "initialize") settled.version = response.result?.protocolVersion ?? ""
    printMore(JSON.stringify(response))
  }

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue
    const message = parsed(line)
    if (message.method === "notifications/cancelled") {
      running.get(message.params?.requestId ?? "")?.abort()
      continue
    }
    if (message.method === "initialize") settled.client = nameOf(message.params?.clientInfo)
    const stop = new AbortController()
    const { id } = message
    if (id !== undefined) running.set(id, stop)
    const work = answer(line, message, stop.signal).finally(() => {
      if (id !== undefined) running.delete(id)
      pending.delete(work)
    })
    pending.add(work)
  }
  await Promise.all(pending)
}

/** The server answers what is no message. */
function parsed(line: string): Message {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Over HTTP, headers repeat what is in the message. */
function headersOf({ method, params }: Message, settled: { version: string; client: string }, key: string) {
  const named = params?._meta?.[meta]
  const modern = typeof named === "string" && method !== "initialize" ? named : null
  const used = modern ?? settled.version
  return {
    "x-api-key": key,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "user-agent": `kontor-mcp/${version}${settled.client ? ` (${settled.client})` : ""}`,
    ...(used && method !== "initialize" ? { "mcp-protocol-version": plain(used) } : {}),
    ...(modern && method ? { "mcp-method": plain(method) } : {}),
    ...(modern && typeof params?.name === "string" ? { "mcp-name": plain(params.name) } : {}),
  }
}

/** A header has only ASCII. Other texts are encoded as the protocol says. */
const plain = (text: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith("=?base64?")
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`

const nameOf = ({ name, version: its }: Named = {}): string =>
  [name, its]
    .filter((each) => typeof each === "string")
    .join(" ")
    .replaceAll(/[^ -'*-~]/g, "")
    .slice(0, 100)

/** Returns the text of the answer; one that says why, if there is none. */
async function sent(url: string, body: string, headers: Record<string, string>, signal: AbortSignal) {
  try {
    // Another host must not get the key.
    const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" })
    const text = await response.text()
    return text.startsWith("{") || response.ok
      ? text
      : failure(`The server at ${url} answered with the status ${response.status}.`)
  } catch (error) {
    return failure(`The server at ${url} cannot be reached: ${messageOf(error)}`)
  }
}

const failure = (message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code: internalError, message } })

type Response = { id: Id; result?: { protocolVersion?: string } }

/** An error that the server could not assign to a message belongs to this one. */
function readAnswer(text: string, id: Id): Response {
  try {
    return { ...(JSON.parse(text) as object), id }
  } catch {
    return { ...(JSON.parse(failure("The server answered with something else than JSON.")) as object), id }
  }
}
