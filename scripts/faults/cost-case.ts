import type { Body } from "./fuzz-body"
import type { Random } from "./random"
import type { Operation } from "./fuzz-document"
import type { Known } from "./fuzz-known"
import { heaviest } from "./cost-shop"

export type Sent = {
  method: string
  /** Includes the query. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** The body before serialization, when it is one object. */
  given?: Body | null
}

/**
 * One test case: its name in the report, and a function that creates the request for each attempt, because a record can
 * be created only once.
 */
export type Case = {
  /** The method and path, or a description. */
  operation: string
  /** The operation ID in the API document, which decides the credential. Null for an unauthenticated request. */
  id: string | null
  parameter: string
  value: string
  /** Cases of one series grow in size: after the first failure the larger ones are skipped. */
  series?: string
  /** True for a case with a document of the maximum size, which may take twice as long. */
  isLargest?: boolean
  make(): Sent | Promise<Sent>
}

/** What cases are created from. */
export type Context = {
  known: Known
  random: Random
  /** The client ID of a registered OAuth client. */
  clientId: string
  redirectUri: string
  /** True to run only about a tenth of the cases. */
  isShort: boolean
  /** Fills in values that a schema does not have, such as the correct password. */
  amend(operation: string, body: Body): Body
  /** Sends a request as the admin and returns the parsed body; null when it is not JSON or has failed. */
  ask(sent: Sent): Promise<unknown>
}

export const json = { "content-type": "application/json" }

/** A different client address for each request, because wrong passwords are counted by address. */
export function otherAddress(random: Random): Record<string, string> {
  const part = () => random.between(1, 254)
  return { "x-forwarded-for": `10.${part()}.${part()}.${part()}` }
}

/** Returns the path of an operation with the ID of an existing record. A GET uses the record with the most data. */
export function pathOf({ path, method }: Operation, { known, random }: Context): string {
  const segments = path.split("/")
  return segments
    .map((segment, i) => {
      if (segment === "{paymentId}") return `pay_${"0".repeat(26)}`
      if (segment === "{value}") return "%C3%A4".repeat(1_000)
      if (!segment.startsWith("{")) return segment
      const prefix = known.prefixAfter(segments[i - 1] ?? "")
      const largestRecord = method === "GET" ? heaviest[prefix] : undefined
      return (
        largestRecord ??
        (known.of(prefix).length > 0 ? known.pick(prefix, random) : `${prefix}_${"0".repeat(26)}`)
      )
    })
    .join("/")
}

export const titleOf = ({ method, path }: Operation): string => `${method} ${path.replace("/api/v1", "")}`

/** A case with a document of the maximum size. */
export const step = (operation: string, value: string, make: Case["make"]): Case => ({
  operation,
  id: "",
  parameter: "a document",
  value,
  isLargest: true,
  make,
})

export const read = (path: string): Sent => ({ method: "GET", path: `/api/v1${path}` })

export const write = (method: string, path: string, body: object | string): Sent => ({
  method,
  path: `/api/v1${path}`,
  headers: json,
  body: typeof body === "string" ? body : JSON.stringify(body),
})
