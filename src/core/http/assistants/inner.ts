import type { Via } from "../../write/writer"
import { callerOf, type Call } from "../request/call"

/** The request of a client that another one is made for, and how. */
type Outer = { call: Call; via: Via }

const outers = new WeakMap<Request, Outer>()

/** Inside the server. No socket listens for it, and the path is found in it as in other URLs. */
const origin = "http://localhost"

type Wanted = { method: string; path: string; body?: object; headers?: Record<string, string> }

/**
 * Makes a request to the API for the caller of another one. It passes the same hooks as a request from outside, but it
 * needs no credential and is not counted again.
 */
export function innerRequest(call: Call, via: Via, { method, path, body, headers = {} }: Wanted): Request {
  callerOf(call)
  const text = body && JSON.stringify(body)
  const request = new Request(`${origin}${path}`, {
    method,
    headers: {
      host: "localhost",
      // Bun adds no length to a request that is not sent.
      ...(text
        ? { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }
        : {}),
      ...headers,
    },
    ...(text ? { body: text } : {}),
  })
  outers.set(request, { call, via })
  return request
}

/** The request that this one is made for; undefined for requests from outside. */
export const outerOf = (request: Request): Outer | undefined => outers.get(request)
