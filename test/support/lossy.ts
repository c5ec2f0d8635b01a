import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * What happens to one request: a status that a proxy answers itself, with Retry-After in seconds; or `lost`, which
 * passes the request on and closes the connection instead of answering.
 */
export type Trouble = { status: number; retryAfter?: number } | "lost"
type Seen = { method: string; path: string; key: string | null }

/** Starts a proxy in front of a server. It makes the next requests fail as `troubles` says, and passes on the others. */
export async function lossyProxy(target: string) {
  const troubles: Trouble[] = []
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = request
      const body = await bodyOf(request)
      seen.push({ method, path: url, key: (headers["idempotency-key"] as string | undefined) ?? null })
      const trouble = troubles.shift()
      if (typeof trouble === "object") {
        const { status, retryAfter } = trouble
        response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` })
        response.end("<h1>Busy</h1>")
        return
      }
      const answer = await passOn(`${target}${url}`, method, headers, body)
      if (trouble === "lost") {
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(new Uint8Array(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Sets what happens next, and forgets what was seen. */
    next(...these: Trouble[]) {
      troubles.splice(0, Infinity, ...these)
      seen.length = 0
    },
    seen,
    stop: () => server.close(),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function passOn(url: string, method: string, headers: IncomingMessage["headers"], body: Buffer) {
  const passed = ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match"]
  const given = passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, `${headers[name]}`]]))
  return fetch(url, {
    method,
    headers: { ...Object.fromEntries(given), "accept-encoding": "identity" },
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  })
}
