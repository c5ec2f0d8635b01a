import type { Settings } from "../../../console/api/types"

/** One row of the table of units: a word of the shop, and its UN/ECE code. */
export type UnitRow = { key: string; word: string; code: string }

let rows = 0

/** Keys keep the focus in a row when a row before it is removed. */
export const unitRow = (word: string, code = ""): UnitRow => ({ key: `unit-${++rows}`, word, code })

export const unitRowsOf = (codes: Settings["unitCodes"] = {}): UnitRow[] =>
  Object.entries(codes).map(([word, code]) => ({ key: word, word, code }))

/** Returns the codes for the request body. An update merges them, so null removes a stored word. */
export function unitCodesOf(units: readonly UnitRow[], stored: Settings["unitCodes"] = {}) {
  const typed = units
    .map(({ word, code }) => [word.trim(), code.trim()] as const)
    .filter(([word, code]) => word !== "" || code !== "")
  const removed = Object.keys(stored).map((word) => [word, null] as const)
  return { ...Object.fromEntries(removed), ...Object.fromEntries(typed) }
}
