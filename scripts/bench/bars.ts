// One line of the table: what was measured, and whether it meets its bar.
export type Line = {
  work: string
  /** The ratio or figure that the bar limits. */
  value: number
  unit?: string
  atLeast?: number
  atMost?: number
  /** Details, such as the rates behind a ratio. */
  note?: string
}

export const isMet = ({ value, atLeast, atMost }: Line): boolean =>
  Number.isFinite(value) && value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity)

export const barOf = ({ atLeast, atMost }: Line): string =>
  atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : "stated"

export const valueOf = ({ value, unit = "" }: Line): string =>
  `${value >= 20 ? Math.round(value) : value.toFixed(2)}${unit}`

/** Prints a line as soon as it is measured. */
export function show(line: Line): Line {
  const verdict = barOf(line) === "stated" ? "" : isMet(line) ? "pass" : "FAIL"
  console.log(
    `${line.work.padEnd(58)} ${valueOf(line).padStart(9)}   ${barOf(line).padEnd(8)} ${verdict.padEnd(5)} ${line.note ?? ""}`,
  )
  return line
}
