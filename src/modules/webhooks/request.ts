import { connect as connectPlain, type Socket } from "node:net"
import { checkServerIdentity, connect as connectSecure, type PeerCertificate } from "node:tls"
import { isIP } from "../../http/address"
import { errorOfAddresses, hostOf, type AllowedNetworks } from "./addresses"
import { NoResponse, notConnected, NotConnected } from "./failure"
import type { Resolve } from "./resolve"
import { responseReader, type Received } from "./response"

/** The time for everything: resolving the name, connecting, sending, and the head of the response. */
export const timeout = 15_000
/** The time for the body after the head. The head decides whether the receiver has accepted the request. */
const bodyTimeout = 1_000
/** A name can have many addresses. */
const mostAddresses = 4

export type Outgoing = { url: string; headers: Record<string, string>; body: string }
export type Network = { resolve: Resolve; allowed: AllowedNetworks }

/**
 * Sends a POST and returns its response. The name is resolved once, every address is checked, and the connection is made
 * to an address that was checked, so that another answer of the resolver in between has no effect. Redirects are not
 * followed, and proxies are not used.
 */
export async function postTo(
  { url: text, headers, body }: Outgoing,
  { resolve, allowed }: Network,
  signal: AbortSignal,
): Promise<Received> {
  const url = new URL(text)
  const { deadline, end } = deadlineOf(signal)
  try {
    const addresses = await within(deadline, addressesOf(url, resolve))
    const error = errorOfAddresses(url, addresses, allowed)
    if (error) throw new NoResponse("ADDRESS_REFUSED", { reason: error })
    return await exchangeWith(url, addresses, messageOf(url, headers, body), deadline)
  } finally {
    end()
  }
}

/** Returns a signal that is aborted with another one, or after the time for a request. Call `end` after the request. */
function deadlineOf(signal: AbortSignal): { deadline: AbortSignal; end(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeout)
  signal.addEventListener("abort", abort)
  if (signal.aborted) abort()
  const end = () => {
    clearTimeout(timer)
    signal.removeEventListener("abort", abort)
  }
  return { deadline: controller.signal, end }
}

/** Sends the request to the first address that accepts a connection. */
async function exchangeWith(
  url: URL,
  addresses: readonly string[],
  message: string,
  deadline: AbortSignal,
): Promise<Received> {
  let failure: unknown
  for (const address of addresses.slice(0, mostAddresses))
    try {
      return await exchange(url, address, message, deadline)
    } catch (reason) {
      failure = reason
      // The receiver may have read the request, so it is not sent to another address.
      if (!(reason instanceof NotConnected) || deadline.aborted) break
    }
  throw failure
}

async function addressesOf(url: URL, resolve: Resolve): Promise<string[]> {
  const host = hostOf(url)
  const found = await resolve(host).catch(() => [])
  if (found.length === 0) throw new NoResponse("NAME_UNKNOWN", { host })
  return found
}

/** Waits for work until the deadline. */
function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(late())
    if (deadline.aborted) return end()
    deadline.addEventListener("abort", end)
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", end))
  })
}

const late = () => new NoResponse("TIMEOUT", { seconds: timeout / 1_000 })

function messageOf(url: URL, headers: Record<string, string>, body: string): string {
  const all = {
    host: url.host,
    accept: "*/*",
    "accept-encoding": "identity",
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n${body}`
}

/** Connects to an address, sends the request and reads the response. */
function exchange(url: URL, address: string, message: string, deadline: AbortSignal): Promise<Received> {
  return new Promise((resolve, reject) => {
    const reader = responseReader()
    const socket = socketTo(url, address)
    let isConnected = false
    let timer: Timer | undefined
    const settle = (failure: Error) => {
      clearTimeout(timer)
      deadline.removeEventListener("abort", end)
      socket.destroy()
      const received = reader.received()
      if (received) resolve(received)
      else reject(failure)
    }
    const end = () => settle(late())
    if (deadline.aborted) return end()
    deadline.addEventListener("abort", end)
    socket.on(url.protocol === "https:" ? "secureConnect" : "connect", () => {
      isConnected = true
      socket.write(message)
    })
    socket.on("data", (chunk: Buffer) => {
      try {
        if (reader.push(chunk)) return settle(closed())
        if (reader.hasHead()) timer ??= setTimeout(() => settle(closed()), bodyTimeout)
      } catch (error) {
        settle(error instanceof NoResponse ? error : closed())
      }
    })
    socket.on("error", (error) => settle(isConnected ? closed() : notConnected(error)))
    socket.on("close", () => settle(isConnected ? closed() : new NotConnected("CONNECTION_CLOSED")))
  })
}

const closed = () => new NoResponse("CONNECTION_CLOSED")

/** Opens a connection to exactly this address. The certificate must be valid for the host of the URL. */
function socketTo(url: URL, host: string): Socket {
  const name = hostOf(url)
  const isSecure = url.protocol === "https:"
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port)
  if (!isSecure) return connectPlain({ host, port })
  return connectSecure({
    host,
    port,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    // A server name is never an address.
    ...(isIP(name) ? {} : { servername: name }),
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
  })
}
