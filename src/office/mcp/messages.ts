import { isObject } from "../../core/kind/object"
import type { Input } from "../../core/kind/read"

/** The revision in which every request stands alone. */
const modern = "2026-07-28"
/** The revisions that begin with `initialize`. Nothing of it has to be remembered, because there are no sessions. */
const legacy = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const
export const versions: readonly string[] = [modern, ...legacy]

/** The codes of JSON-RPC and of the protocol. */
export const codes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

type Id = string | number

/** A message of a client. A notification has no id and gets no answer. */
export type Message = {
  id: Id | null
  method: string
  params: Input
  isModern: boolean
  /** What the program of the assistant calls itself; null if it does not say. */
  client: string | null
}

/** An error of the protocol, with the status of its response. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status: number,
    readonly id: Id | null = null,
    readonly data?: object,
  ) {
    super(message)
  }
}

const meta = "io.modelcontextprotocol/"
const longestClient = 100

/** Reads a message, and checks that its headers say the same as its body. */
export function readMessage(body: Input, headers: Headers): Message {
  const { jsonrpc, id = null, method, params = {} } = body
  const isId = id === null || typeof id === "string" || (typeof id === "number" && Number.isInteger(id))
  if (jsonrpc !== "2.0" || !isId || typeof method !== "string" || !isObject(params))
    throw new RpcError(codes.invalidRequest, "The body must be one message of JSON-RPC 2.0.", 400)
  const given = isObject(params["_meta"]) ? params["_meta"] : {}
  const named = given[`${meta}protocolVersion`]
  const header = headers.get("mcp-protocol-version")
  const isModern = method !== "initialize" && (named !== undefined || (header !== null && !isLegacy(header)))
  const message = { id, method, params, isModern, client: clientOf(given[`${meta}clientInfo`]) }
  if (isModern && id !== null) assertEnvelope(message, given, header, headers)
  return message
}

const isLegacy = (version: string): boolean => legacy.some((each) => each === version)

/** Refuses a request whose headers or `_meta` do not name the revision, or another one. */
function assertEnvelope(
  { id, method, params }: Message,
  given: Input,
  header: string | null,
  headers: Headers,
): void {
  const mismatch = (text: string) => new RpcError(codes.headerMismatch, `Header mismatch: ${text}`, 400, id)
  const version = given[`${meta}protocolVersion`]
  if (header === null) throw mismatch("MCP-Protocol-Version is missing.")
  if (!versions.includes(header)) throw unsupported(header, id)
  if (version === undefined)
    throw new RpcError(codes.invalidParams, `_meta must have ${meta}protocolVersion.`, 400, id)
  if (version !== header) throw mismatch("MCP-Protocol-Version is not the version in _meta.")
  if (header !== modern) throw unsupported(header, id)
  if (!isObject(given[`${meta}clientCapabilities`]))
    throw new RpcError(codes.invalidParams, `_meta must have ${meta}clientCapabilities.`, 400, id)
  if (headers.get("mcp-method") !== method) throw mismatch("Mcp-Method is not the method in the body.")
  if (method !== "tools/call") return
  if (decoded(headers.get("mcp-name")) !== params["name"])
    throw mismatch("Mcp-Name is not the name in the body.")
}

const unsupported = (requested: string, id: Id | null) =>
  new RpcError(codes.unsupportedVersion, "Unsupported protocol version", 400, id, {
    supported: versions,
    requested,
  })

/** A name that is not plain ASCII is encoded. */
function decoded(header: string | null): string | null {
  const [, text] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header ?? "") ?? []
  return text === undefined ? header : Buffer.from(text, "base64").toString()
}

function clientOf(info: unknown): string | null {
  if (!isObject(info) || typeof info["name"] !== "string") return null
  const { name, version } = info
  const text = typeof version === "string" ? `${name} ${version}` : name
  return (
    text
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, longestClient)
      .toWellFormed() || null
  )
}

/** The version that an older client gets: the one that it asked for, or else the latest that begins the same way. */
export const legacyVersion = (wanted: unknown): string =>
  typeof wanted === "string" && isLegacy(wanted) ? wanted : legacy[0]

export const answerOf = (id: Id | null, result: object) => ({ jsonrpc: "2.0" as const, id, result })

export const errorOf = ({ id, code, message, data }: RpcError) => ({
  jsonrpc: "2.0" as const,
  ...(id === null ? {} : { id }),
  error: { code, message, ...(data ? { data } : {}) },
})
