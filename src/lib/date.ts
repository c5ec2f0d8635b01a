const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timestampPattern =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** True for an existing date: 2028-02-29 exists, 2026-02-30 does not. */
export function isDate(value: string): boolean {
  if (!datePattern.test(value)) return false
  const millis = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().slice(0, 10) === value
}

/** Converts an RFC 3339 timestamp to our format (UTC, milliseconds). Returns null when it is invalid. */
export function toTimestamp(value: string): string | null {
  if (!timestampPattern.test(value) || !isDate(value.slice(0, 10))) return null
  const shown = new Date(value).toISOString()
  // With an offset, the UTC year can have more or fewer than four digits, and would not sort correctly as text.
  return shown.length === 24 ? shown : null
}

export const startOfDay = (date: string) => `${date}T00:00:00.000Z`
export const endOfDay = (date: string) => `${date}T23:59:59.999Z`
