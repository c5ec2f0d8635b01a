export type Values = Record<string, unknown>
export type Body = Record<string, unknown>

/** Converts empty inputs to null, because inputs have no null value. */
export function emptyAsNull(values: Values): Body {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === "" || value === undefined
        ? null
        : typeof value === "object" && value !== null && !Array.isArray(value)
          ? emptyAsNull(value as Values)
          : value,
    ]),
  )
}

/** Returns the request body of a new record: without nulls, except for fields whose null has a meaning. */
export const newBody = (body: Body, meaningfulNulls: readonly string[] = []): Body =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== undefined && (value !== null || meaningfulNulls.includes(name)),
    ),
  )

/** Returns the request body of an update: the changed fields and their companions. */
export function changedBody(
  before: Body,
  after: Body,
  companions: Record<string, readonly string[]> = {},
): Body {
  const changes = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(before[name], value)),
  )
  for (const [name, others] of Object.entries(companions))
    if (name in changes) for (const other of others) changes[other] = after[other]
  return changes
}

/** A field that differs between two versions. `mine` is undefined if only the other user changed it. */
export type Difference = { field: string; mine: unknown; theirs: unknown }

/** Returns the fields to compare: the fields that I send, and the fields that the other user changed. */
export const differences = (before: Body, theirs: Body, mine: Body): Difference[] =>
  Object.keys(theirs)
    .filter((field) => field in mine || !isSame(before[field], theirs[field]))
    .map((field) => ({ field, mine: field in mine ? mine[field] : undefined, theirs: theirs[field] }))

export const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
