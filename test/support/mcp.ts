import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { expect } from "bun:test"
import { send } from "./api"
import { program, type Kontor } from "./kontor"

export const modern = "2026-07-28"
const meta = "io.modelcontextprotocol/"

type Server = Pick<Kontor, "url">
type Credential = Record<string, string>

/** The message of a request in the present revision, and its headers. */
export function message(method: string, params: object = {}, more: { version?: string } = {}) {
  const { version = modern } = more
  const name = (params as { name?: string }).name
  return {
    headers: {
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(method === "tools/call" && name ? { "mcp-name": name } : {}),
    } as Record<string, string>,
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        _meta: {
          [`${meta}protocolVersion`]: version,
          [`${meta}clientInfo`]: { name: "Tests", version: "1.0" },
          [`${meta}clientCapabilities`]: {},
        },
        ...params,
      },
    },
  }
}

/** Sends one message to /mcp. */
export const post = (
  kontor: Server,
  credential: Credential,
  { headers, body }: { headers?: Record<string, string>; body: unknown },
) => send(`${kontor.url}/mcp`, { method: "POST", headers: { ...credential, ...headers }, body })

/** Calls tools as one caller. The test fails if the protocol refuses the call. */
export const toolsOf = (kontor: Server, credential: Credential) => {
  const call = async (name: string, args: object = {}) => {
    const answer = await post(kontor, credential, message("tools/call", { name, arguments: args }))
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.result
  }
  return {
    /** The names of the tools that it may call. */
    names: async (): Promise<string[]> => {
      const { body } = await post(kontor, credential, message("tools/list"))
      return body.result.tools.map(({ name }: { name: string }) => name)
    },
    /** The answer of a tool. */
    async ask(name: string, args: object = {}) {
      const result = await call(name, args)
      expect(result).toMatchObject({ isError: false, resultType: "complete" })
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
      return result.structuredContent
    },
    /** What a tool says to a call that it refuses. */
    async refusal(name: string, args: object = {}): Promise<string> {
      const result = await call(name, args)
      expect(result).toMatchObject({ isError: true })
      return result.content[0].text
    },
  }
}

/** An independent client, with the present revision or an older one. */
export async function client(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: "legacy" | { pin: string },
) {
  const made = new Client({ name: "Tests", version: "1.0" }, { versionNegotiation: { mode } })
  await made.connect(transport)
  return made
}

export const overHttp = ({ url }: Server, headers: Credential) =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })

export const overStdio = (url: string, key: string) =>
  new StdioClientTransport({
    command: program[0] ?? "",
    args: [...program.slice(1), "mcp", "--url", url],
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", KONTOR_API_KEY: key },
  })
