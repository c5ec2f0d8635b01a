// What must hold of every answer, whatever was asked.
import type { Operation } from "./fuzz-document"

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

/** What kind of request it was, and what is right by that. */
export type Asked =
  | { kind: "valid" }
  | { kind: "stranger" }
  /** The answers that are right, and the field that a refusal must name where one is known. */
  | { kind: "broken"; right: readonly number[]; field: string | null }

/** Every promise that an answer breaks, in words. */
export function faultsOf(operation: Operation, asked: Asked, answer: Answer, isSlim: boolean): string[] {
  const faults: string[] = []
  const { status, headers, body } = answer
  const promised = operation.answers.get(status)
  if (!promised) return [`answered ${status}, which the document does not name: ${answer.text.slice(0, 200)}`]
  // A full queue of passwords may say so; nothing else may fail.
  if (status >= 500 && status !== 503) faults.push(`answered ${status}`)

  for (const name of promised.headers)
    if (!headers.has(name) && !(name === "Link" && !hasMore(body))) faults.push(`${status} has no ${name}`)
  for (const name of ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"])
    if (!headers.has(name)) faults.push(`${status} has no ${name}`)
  if (headers.get("cache-control") !== "no-store") faults.push("may be stored by a cache")
  if (headers.get("x-content-type-options") !== "nosniff") faults.push("may be sniffed")

  const type = headers.get("content-type")?.split(";")[0] ?? null
  if (status === 204 ? answer.text !== "" : type !== promised.type)
    faults.push(`${status} is ${type}, not ${promised.type}`)
  const fault = promised.faultOf(body, isSlim && status === 200)
  if (fault) faults.push(`${status} breaks its schema: ${fault}`)
  if (promised.type === "application/json" && (body as { success?: unknown }).success !== status < 400)
    faults.push(`${status} says success: ${String((body as { success?: unknown }).success)}`)
  if (/\bat [\w./]+\.[jt]s:\d|SQLITE_|SELECT .* FROM|INSERT INTO/.test(answer.text.slice(0, 5_000)))
    faults.push("shows its inside")
  return [...faults, ...faultsByKind(asked, answer)]
}

function faultsByKind(asked: Asked, { status, body, text }: Answer): string[] {
  if (status === 429 || status === 503) return []
  if (asked.kind === "valid")
    return status === 400 || status === 413 || status === 415
      ? [`what the document allows was answered ${status}: ${text.slice(0, 300)}`]
      : []
  if (asked.kind === "stranger")
    return status === 401 ? [] : [`somebody without a credential was answered ${status}`]
  if (!asked.right.includes(status))
    return [`should be ${asked.right.join(" or ")} but was ${status}: ${text.slice(0, 300)}`]
  return namesField(asked.field, body) ? [] : [`does not name ${asked.field}: ${text.slice(0, 300)}`]
}

type Refused = { error?: { code: string; details: { field: string }[] } }

/** A fault may be found in what stands around the field, or within it. */
function namesField(field: string | null, body: unknown): boolean {
  const { error } = body as Refused
  if (field === null || error?.code !== "VALIDATION_ERROR") return true
  return error.details.some(({ field: named }) => named.startsWith(field) || field.startsWith(named))
}

const hasMore = (body: unknown): boolean =>
  (body as { meta?: { hasMore?: boolean } } | null)?.meta?.hasMore ?? false
