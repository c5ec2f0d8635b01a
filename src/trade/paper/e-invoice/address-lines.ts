/** An e-invoice has three lines for a street. */
const most = 3

/** Returns the lines of a street. What does not fit is appended to the last line. */
export function addressLines(street: string | null): [string | null, string | null, string | null] {
  const lines = (street ?? "").split("\n").flatMap((line) => line.trim() || [])
  const [one = null, two = null] = lines
  const rest = lines.slice(most - 1).join(", ")
  return [one, two, rest || null]
}
