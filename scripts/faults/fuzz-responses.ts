// What must be true for every response.
import type { Operation } from "./fuzz-document"

export type Answer = { status: number; headers: Headers; bytes: Uint8Array; text: string; body: unknown }

/** The expected response, by the kind of request. */
export type Expected =
  | { kind: "valid" }
  | { kind: "anonymous" }
  /** The accepted statuses, and the field that a refusal must name, if known. */
  | { kind: "broken"; right: readonly number[]; field: string | null }

/** A dry run has no record that these could name. */
const ofRecords = ["ETag", "Location"]

/** Checks a response. Returns one message for each problem. */
export function problemsOf(
  operation: Operation,
  expected: Expected,
  answer: Answer,
  isSlim: boolean,
): string[] {
  const problems: string[] = []
  const { status, headers, body } = answer
  const promised = operation.answers.get(status)
  if (!promised) return [`returned ${status}, which is not in the document: ${answer.text.slice(0, 200)}`]
  // A full queue of password checks may return 503, and a PostgreSQL server has no backups (501, where the document says
  // so). No other failure is accepted.
  if (status >= 500 && ![501, 503].includes(status)) problems.push(`returned ${status}`)

  const isDry = headers.has("dry-run")
  // A record that does not exist has no ETag. The PDF of a draft is made afresh each time.
  const isFresh = status === 200 && promised.type === "application/pdf" && !headers.has("etag")
  const optional = new Set([
    "Deprecation",
    "Dry-Run",
    "Idempotent-Replayed",
    "Kontor-Warning",
    ...(isFresh ? ["ETag"] : []),
    ...(isDry ? ofRecords : []),
    ...(status === 412 ? ["ETag"] : []),
  ])
  for (const name of promised.headers.filter((each) => !optional.has(each)))
    if (!headers.has(name) && !(name === "Link" && !hasMore(body))) problems.push(`${status} has no ${name}`)
  for (const name of ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"])
    if (!headers.has(name)) problems.push(`${status} has no ${name}`)
  const isStored = operation.answers.has(304) && status < 400 && !isSlim && !isFresh
  if (headers.get("cache-control") !== (isStored ? "private, no-cache" : "no-store"))
    problems.push(`${status} has Cache-Control: ${headers.get("cache-control")}`)
  if (headers.get("x-content-type-options") !== "nosniff") problems.push("allows content sniffing")

  const type = headers.get("content-type")?.split(";")[0] ?? null
  const isImage = promised.type === "image/*" && /^image\/(png|jpeg)$/.test(type ?? "")
  if (promised.type === null ? answer.text !== "" : !promised.types.includes(type ?? "") && !isImage)
    problems.push(`${status} is ${type}, not ${promised.type}`)
  const form = isDry ? "dryRun" : isSlim && status === 200 ? "slim" : "whole"
  const problem = type === "application/json" ? promised.problemOf(body, form) : null
  if (problem) problems.push(`${status} does not match its schema: ${problem}`)
  if (type === "application/json" && (body as { success?: unknown }).success !== status < 400)
    problems.push(`${status} has success: ${String((body as { success?: unknown }).success)}`)
  if (/\bat [\w./]+\.[jt]s:\d|SQLITE_|SELECT .* FROM|INSERT INTO/.test(answer.text.slice(0, 5_000)))
    problems.push("reveals internals")
  return [...problems, ...problemsByKind(expected, answer)]
}

function problemsByKind(expected: Expected, { status, body, text }: Answer): string[] {
  if (status === 429 || status === 503) return []
  if (expected.kind === "valid")
    return status === 400 || status === 413 || status === 415
      ? [`a request that the document allows returned ${status}: ${text.slice(0, 300)}`]
      : []
  if (expected.kind === "anonymous")
    return status === 401 ? [] : [`a request without a credential returned ${status}`]
  if (!expected.right.includes(status))
    return [`should be ${expected.right.join(" or ")} but was ${status}: ${text.slice(0, 300)}`]
  return namesField(expected.field, body) ? [] : [`does not name ${expected.field}: ${text.slice(0, 300)}`]
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
