import { expect } from "bun:test"
import { Webhook, WebhookVerificationError } from "standardwebhooks"
import { createServer, type Socket } from "node:net"
import type { Api } from "./api"

/** A request that a receiver got. */
export type Hit = { path: string; headers: Headers; body: string; event: any }

const stopping: (() => void)[] = []

/** Stops all receivers. Call it in afterAll. */
export const stopReceivers = (): void => stopping.splice(0).forEach((stop) => stop())

/** The option that lets webhooks call receivers on this machine. */
export const allowLoopback = ["--allow-private-webhooks", "127.0.0.0/8"]

/** Starts a receiver of webhooks, which keeps what it gets. */
export function receiver(
  answer: (hit: Hit, number: number) => Response | Promise<Response> = () => new Response("ok"),
  options: { port?: number; tls?: { key: string; cert: string } } = {},
) {
  const hits: Hit[] = []
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    ...(options.tls ? { tls: options.tls } : {}),
    async fetch(request) {
      const body = await request.text()
      const { pathname } = new URL(request.url)
      const hit = { path: pathname, headers: request.headers, body, event: JSON.parse(body || "null") }
      hits.push(hit)
      return answer(hit, hits.length)
    },
  })
  const stop = () => void server.stop(true)
  stopping.push(stop)
  const port = server.port ?? 0
  return { hits, port, url: `http://127.0.0.1:${port}`, stop }
}

/** Starts a TCP server whose connections a function handles. */
export async function rawReceiver(handle: (socket: Socket) => void) {
  const counts = { connections: 0, closed: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    counts.connections++
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => void (counts.closed++, sockets.delete(socket)))
    handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stopping.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  return { url: `http://127.0.0.1:${port}`, counts }
}

/** True when the official library accepts the signature of a request. */
export function isSigned({ headers, body }: Hit, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers))
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}

/** Creates a webhook and returns it with its secret. */
export const webhookOf = (admin: Api, url: string, more: object = {}) =>
  admin.create("/webhooks", { url, types: ["*"], ...more })

/** Creates an item and returns it. */
export const itemOf = (admin: Api, itemCode: string) =>
  admin.create("/items", { itemCode, itemName: itemCode, itemType: "Product", sellingPrice: 1 })

/** Returns the deliveries of a webhook, the newest first. */
export async function deliveriesOf(admin: Api, { id }: { id: string }, query = "") {
  const answer = await admin.get(`/webhooks/${id}/deliveries?perPage=100${query}`)
  expect(answer.status).toBe(200)
  return answer.body.data
}
