import type { ClientRequest, IncomingMessage } from "node:http"
import { isIP, type LookupFunction } from "node:net"
import { errorOfAddresses, hostOf, type Network, type Resolve } from "./addresses"
import { failureOf, NoResponse } from "./failure"
import { real, steadyMillis } from "../../core/lib/clock"
import { version } from "../../version"
import { signedHeaders } from "./message"
import type { Target } from "./store"

/** The time for everything: resolving the name, connecting, sending, and the head of the response. */
export const timeout = 15_000
/** The time for the body after the head. The head decides whether the receiver has accepted the request. */
const bodyTimeout = 1_000
/** A name can have many addresses. */
const mostAddresses = 4
/** The time to connect to one of several addresses. The last one has the time that is left. */
const addressTimeout = 3_000
const longestHead = 16_384
/** The bytes of a body that are kept. No more is read. */
const keptBytes = 1_024
/** The raw bytes of a body that are looked at: a size of a chunk can have any number of zeros. */
const longestRaw = 1_048_576

export type Outgoing = {
  /** POST, if not given. */
  method?: "GET" | "POST"
  url: string
  headers: Record<string, string>
  body: string
  /** The bytes of the response that are kept, if not the usual number. */
  keeps?: number
}
/** The status of a response and the beginning of its body, and its content type if its body is needed. */
type Received = { status: number; type?: string; text: string }

/**
 * Sends a request and returns its response. The name is resolved once, every address is checked, and the connection is made
 * to an address that was checked, so that another answer of the resolver in between has no effect. Redirects are not
 * followed, and proxies are not used.
 */
export async function sendTo(
  outgoing: Outgoing,
  { resolve, allowed }: Network,
  signal: AbortSignal,
): Promise<Received> {
  const url = new URL(outgoing.url)
  const { deadline, end } = deadlineOf(signal)
  try {
    const addresses = await within(deadline, addressesOf(url, resolve))
    const error = errorOfAddresses(url, addresses, allowed)
    if (error) throw new NoResponse("ADDRESS_REFUSED", { reason: error })
    return await exchange(url, addresses, outgoing, deadline)
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

async function addressesOf(url: URL, resolve: Resolve): Promise<string[]> {
  const host = hostOf(url)
  const found = await resolve(host).catch(() => [])
  if (found.length === 0) throw new NoResponse("NAME_UNKNOWN", { host })
  return found
}

function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(late())
    if (deadline.aborted) return end()
    deadline.addEventListener("abort", end)
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", end))
  })
}

const late = () => new NoResponse("TIMEOUT", { seconds: timeout / 1_000 })

/** Sends the request to the first address that accepts a connection. */
async function exchange(url: URL, addresses: readonly string[], outgoing: Outgoing, signal: AbortSignal) {
  const checked = addresses.slice(0, mostAddresses).map((address) => ({ address, family: isIP(address) }))
  // It is not called for an address in the URL, which is the one that was checked.
  const lookup: LookupFunction = (_, __, found) => found(null, checked)
  const options = {
    method: outgoing.method ?? "POST",
    headers: { host: url.host, accept: "*/*", "accept-encoding": "identity", ...outgoing.headers },
    // An agent of its own: connections are not shared, and the proxies of the environment are not used.
    agent: false,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeout,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    maxHeaderSize: longestHead,
    // Receivers are not always exact. A connection has only one response, so nothing can be smuggled into another one.
    insecureHTTPParser: true,
    signal,
  }
  // Loaded with the first request, so that a server starts sooner.
  const { request: begin } = await (url.protocol === "https:" ? import("node:https") : import("node:http"))
  return new Promise<Received>((resolve, reject) => {
    const request = begin(url, options)
    countBytes(request)
    request.on("response", (response) => resolve(beginningOf(response, outgoing.keeps)))
    request.on("error", (error) => reject(signal.aborted ? late() : failureOf(error)))
    request.on("close", () => reject(new NoResponse("CONNECTION_CLOSED")))
    request.end(outgoing.body)
  })
}

/** Ends a request after too many bytes. The parser counts only some bytes of a head, and not those of 1xx. */
function countBytes(request: ClientRequest): void {
  let left = longestHead
  request.on("response", () => (left = longestRaw))
  request.on("socket", (socket) =>
    socket.on("data", (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) request.destroy(new NoResponse("HEAD_TOO_LONG"))
    }),
  )
}

/** Reads the beginning of the body, as far as it arrives in time, and closes the connection. */
async function beginningOf(response: IncomingMessage, keeps?: number): Promise<Received> {
  const most = keeps ?? keptBytes
  // Who needs the body waits longer for it.
  const timer = setTimeout(() => response.destroy(), keeps === undefined ? bodyTimeout : timeout)
  let kept = Buffer.alloc(0)
  try {
    for await (const chunk of response) {
      kept = Buffer.concat([kept, chunk]).subarray(0, most)
      if (kept.length === most) break
    }
  } catch {
    // The head is enough.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
  const { statusCode: status = 0, headers } = response
  const received = { status, text: shown(kept) }
  return keeps === undefined ? received : { ...received, type: headers["content-type"] ?? "" }
}

/** Shows bytes as text. Control characters other than line breaks and tabs are replaced. */
const shown = (bytes: Buffer): string =>
  new TextDecoder()
    .decode(bytes)
    .replace(/\p{Cc}/gu, (character) => (/[\n\t]/.test(character) ? character : "\ufffd"))

/** What is sent: the id of the event, which is the same in every attempt, and the body. */
export type Message = { event: string; body: string }

/** What an attempt has led to. `failure` tells why there was no response. */
export type Attempt = {
  /** The headers that were sent. They contain signatures, but no secrets. */
  headers: Record<string, string>
  status: number | null
  text: string | null
  failure: NoResponse | null
  millis: number
}

/** Only a status 2xx is a success. A redirect is not followed, so it is a failure. */
export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Sends a message once. Returns null if the server stops meanwhile: then it is not known whether it was received. */
export async function attemptOf(
  network: Network,
  { url, secrets }: Pick<Target, "url" | "secrets">,
  { event, body }: Message,
  signal: AbortSignal,
): Promise<Attempt | null> {
  if (signal.aborted) return null
  const began = steadyMillis()
  const headers = {
    "content-type": "application/json",
    "user-agent": `Kontor/${version}`,
    ...signedHeaders(secrets, { id: event, seconds: real.seconds(), body }),
  }
  const result = await sendTo({ url, headers, body }, network, signal).then(
    ({ status, text }) => ({ status, text, failure: null }),
    (error: unknown) => ({ status: null, text: null, failure: failureOf(error) }),
  )
  if (result.status === null && signal.aborted) return null
  const attempt = { ...result, headers, millis: Math.round(steadyMillis() - began) }
  network.onAttempt?.(isSuccess(attempt))
  return attempt
}
