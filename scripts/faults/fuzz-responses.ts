// What must be true for every response.
import type { Operation } from "./fuzz-document"

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

/** The kind of request, which decides the expected response. */
export type Asked =
  | { kind: "valid" }
  | { kind: "anonymous" }
  /** The accepted statuses, and the field that a refusal must name, if known. */
  | { kind: "broken"; right: readonly number[]; field: string | null }

/** Checks a response. Returns one message for each problem. */
export function problemsOf(operation: Operation, asked: Asked, answer: Answer, isSlim: boolean): string[] {
  const problems: string[] = []
  const { status, headers, body } = answer
  const promised = operation.answers.get(status)
  if (!promised) return [`returned ${status}, which is not in the document: ${answer.text.slice(0, 200)}`]
  // A full queue of password checks may return 503; no other failure is accepted.
  if (status >= 500 && status !== 503) problems.push(`returned ${status}`)

  for (const name of promised.headers)
    if (!headers.has(name) && !(name === "Link" && !hasMore(body))) problems.push(`${status} has no ${name}`)
  for (const name of ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"])
    if (!headers.has(name)) problems.push(`${status} has no ${name}`)
  if (headers.get("cache-control") !== "no-store") problems.push("can be cached")
  if (headers.get("x-content-type-options") !== "nosniff") problems.push("allows content sniffing")

  const type = headers.get("content-type")?.split(";")[0] ?? null
  if (status === 204 ? answer.text !== "" : type !== promised.type)
    problems.push(`${status} is ${type}, not ${promised.type}`)
  const problem = promised.problemOf(body, isSlim && status === 200)
  if (problem) problems.push(`${status} does not match its schema: ${problem}`)
  if (promised.type === "application/json" && (body as { success?: unknown }).success !== status < 400)
    problems.push(`${status} has success: ${String((body as { success?: unknown }).success)}`)
  if (/\bat [\w./]+\.[jt]s:\d|SQLITE_|SELECT .* FROM|INSERT INTO/.test(answer.text.slice(0, 5_000)))
    problems.push("reveals internals")
  return [...problems, ...problemsByKind(asked, answer)]
}

function problemsByKind(asked: Asked, { status, body, text }: Answer): string[] {
  if (status === 429 || status === 503) return []
  if (asked.kind === "valid")
    return status === 400 || status === 413 || status === 415
      ? [`a request that the document allows returned ${status}: ${text.slice(0, 300)}`]
      : []
  if (asked.kind === "anonymous")
    return status === 401 ? [] : [`a request without a credential returned ${status}`]
  if (!asked.right.includes(status))
    return [`should be ${asked.right.join(" or ")} but was ${status}: ${text.slice(0, 300)}`]
  return namesField(asked.field, body) ? [] : [`does not name ${asked.field}: ${text.slice(0, 300)}`]
}

type Refused = { error?: { code: string; details: { field: string }[] } }

/** The error may name a parent of the field, or a part of it. */
function namesField(field: string | null, body: unknown): boolean {
  const { error } = body as Refused
  if (field === null || error?.code !== "VALIDATION_ERROR") return true
  return error.details.some(({ field: named }) => named.startsWith(field) || field.startsWith(named))
}

const hasMore = (body: unknown): boolean =>
  (body as { meta?: { hasMore?: boolean } } | null)?.meta?.hasMore ?? false
