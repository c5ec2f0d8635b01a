import type { DecimalSign, DecimalVotes, Delimiter, GivenFormat, SheetColumn, SheetFormat } from "../model"

/** Signs on both sides of three digits, or twice the same: it is certain which one is the decimal sign. */
const certain: readonly [RegExp, DecimalSign][] = [
  [/^\d{1,3}([.'’ \u00a0\u2009\u202f]\d{3})+,\d+$/, ","],
  [/^\d{1,3}([,'’ \u00a0\u2009\u202f]\d{3})+\.\d+$/, "."],
  [/^\d{1,3}(\.\d{3}){2,}$/, ","],
  [/^\d{1,3}(,\d{2,3})+,\d{3}$/, "."],
]
/** One sign. With three digits after it and up to three before, it may be between thousands: that tells nothing. */
const single = /^(\d*)([.,])(\d+)$/
const weightOfCertain = 10

/** Counts what a cell tells about the decimal sign of its column. */
export function addDecimalVote(votes: DecimalVotes, cell: string): void {
  const text = cell.trim().replace(/^[-+−]\s*/, "")
  if (text.length > 40 || !/^[\d.,]/.test(text)) return
  const sign = certain.find(([pattern]) => pattern.test(text))?.[1]
  if (sign) votes[sign] += weightOfCertain
  else addSingle(votes, text)
}

/** The decimal sign of some columns; if their cells do not tell, the one that is usual with the delimiter. */
export function decimalOf(
  columns: readonly Pick<SheetColumn, "decimals">[],
  delimiter: Delimiter | null,
  given: GivenFormat,
): Pick<SheetFormat, "decimal" | "isDecimalGuessed"> {
  if (given.decimal) return { decimal: given.decimal, isDecimalGuessed: false }
  const votesFor = (sign: DecimalSign) => columns.reduce((sum, { decimals }) => sum + decimals[sign], 0)
  const [points, commas] = [votesFor("."), votesFor(",")]
  if (points !== commas) return { decimal: points > commas ? "." : ",", isDecimalGuessed: false }
  return { decimal: delimiter === ";" ? "," : ".", isDecimalGuessed: true }
}

/** True for a number whose only sign may be that of decimals or that of thousands. */
export const isAmbiguous = (text: string): boolean => /^[-+−]?\s*[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim())

function addSingle(votes: DecimalVotes, text: string): void {
  const [, whole = "", sign, fraction = ""] = single.exec(text) ?? []
  if (sign !== "." && sign !== ",") return
  const mayBeThousands = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (!mayBeThousands) votes[sign]++
}
