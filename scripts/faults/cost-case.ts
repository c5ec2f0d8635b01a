import type { Body } from "./fuzz-body"
import type { Dice } from "./dice"
import type { Operation } from "./fuzz-document"
import type { Known } from "./fuzz-known"
import { heaviest } from "./cost-shop"

export type Sent = {
  method: string
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: string
  /** The body as it was before it became text, where it was one object. */
  given?: Body | null
}

/** One request: its name in the report, and a function that builds it for each attempt, because a record is created only once. */
export type Case = {
  /** Method and path, or what else is done. */
  operation: string
  /** Which operation of the API document it is; its credential depends on it. Null for a stranger. */
  id: string | null
  parameter: string
  value: string
  /** Cases with the same grow: after the first that costs too much the others are not asked. */
  ladder?: string
  /** True for what is about one document of the largest size there may be, which may take twice as long. */
  isLargest?: boolean
  /** How long its answer may take, in ms, where that is longer than usual. */
  patience?: number
  make(): Sent | Promise<Sent>
}

/** What cases are made from. */
export type Means = {
  known: Known
  dice: Dice
  /** An application that is registered. */
  clientId: string
  redirectUri: string
  /** True when a tenth of the cases must do. */
  isShort: boolean
  /** Puts in what no schema can know, such as a password that is right. */
  amend(operation: string, body: Body): Body
  /** What a request by the admin is answered; null when it is not JSON or has failed. */
  ask(sent: Sent): Promise<unknown>
}

export const json = { "content-type": "application/json" }

/** An address of one's own for each request: wrong passwords are counted by address. */
export function otherAddress(dice: Dice): Record<string, string> {
  const part = () => dice.between(1, 254)
  return { "x-forwarded-for": `10.${part()}.${part()}.${part()}` }
}

/** The path of an operation about a record that exists: to be read, the one that has the most to tell. */
export function pathOf({ path, method }: Operation, { known, dice }: Means): string {
  const segments = path.split("/")
  return segments
    .map((segment, i) => {
      if (segment === "{paymentId}") return `pay_${"0".repeat(26)}`
      if (!segment.startsWith("{")) return segment
      const prefix = known.prefixAfter(segments[i - 1] ?? "")
      const heavy = method === "GET" ? heaviest[prefix] : undefined
      return heavy ?? (known.of(prefix).length > 0 ? known.pick(prefix, dice) : `${prefix}_${"0".repeat(26)}`)
    })
    .join("/")
}

export const titleOf = ({ method, path }: Operation): string => `${method} ${path.replace("/api/v1", "")}`
