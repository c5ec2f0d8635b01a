import type { Right } from "../../shared/rights"
import type { Caller } from "../../core/caller"
import type { Input } from "../../core/kind/read"
import type { Schema } from "./schema"

/** A request to the API that a tool makes. */
export type Wanted = {
  method: "GET" | "POST"
  path: string
  query?: Record<string, string>
  body?: Input
  headers?: Record<string, string>
}

/** The response to it: the envelope of the API. */
export type Answered = {
  status: number
  /** True if it was so long that it was not read. */
  isTooLong?: true
  body: {
    data?: unknown
    meta?: Record<string, unknown>
    warnings?: { message: string }[]
    error?: { code: string; message: string; details: { field: string; message: string }[] }
  }
}

export type Send = (wanted: Wanted) => Promise<Answered>

/** What a tool answers: data, or what the model did wrong, as a sentence. */
export type Result = { data: object } | { problem: string; response?: Answered }

/** One tool. Its schemas name only what the caller may use. */
export type Tool = {
  name: string
  /** The rights of which one is enough for the tool to be of use. */
  rights: readonly Right[]
  title: string
  description: (caller: Caller) => string
  input: (caller: Caller) => Schema
  output: () => Schema
  writes: boolean
  /** What the tool does not do, for a caller who asks for more. */
  limit?: string
  run: (given: Input, send: Send, caller: Caller) => Promise<Result>
}

/** A response that is no success, in words that a model can act on. */
export function refused(response: Answered): Result {
  const { error } = response.body
  if (response.isTooLong)
    return { problem: "The answer is too long. Ask only for some of the `fields`, or for less.", response }
  if (!error) return { problem: `The server answered with the status ${response.status}.`, response }
  const details = error.details.map(({ field, message }) => `\n- ${field ? `${field}: ` : ""}${message}`)
  return { problem: `${error.message} (${error.code})${details.join("")}`, response }
}

export const succeeded = ({ status, isTooLong }: Answered): boolean =>
  status >= 200 && status < 300 && !isTooLong

/** The sentences of a response that the model should know: what the server warns of, and what the answer lacks. */
export function noted(data: object, notes: readonly string[], { body }: Answered): object {
  const warnings = (body.warnings ?? []).map(({ message }) => message)
  return {
    ...data,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
  }
}

/** The properties that `noted` adds. */
export const notes: Record<string, Schema> = {
  warnings: { type: "array", items: { type: "string" }, description: "What to check" },
  note: { type: "string", description: "What the answer lacks and how to get it, or what to do next" },
}
