import { messageOf } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import type { StockMovement } from "../../../console/api/types"
import { fieldMessage } from "../../../console/forms/field-errors"
import { number } from "../../../console/format"
import { t } from "./texts"

/** The response to a stock count: the corrections in the ledger, and the number of counts that were correct. */
export type CountResult = { unchanged: number; movements: StockMovement[] }

/** The most lines of one request. */
export const mostLines = 1_000

/** How many items were counted, and how many of them had another stock. */
export function resultInWords(unchanged: number, corrected: number): string {
  const counted = number(unchanged + corrected)
  if (corrected === 0) return t(($) => $.stock.countCorrect, { counted })
  return t(($) => $.stock.countCorrected, { counted, corrected: number(corrected) })
}

/** The errors of the lines, by the id of the item: lines[3].counted belongs to the fourth line. */
export function errorsOf(error: unknown, lines: readonly { item: string }[]): Map<string, string> {
  if (!(error instanceof ApiError)) return new Map()
  return new Map(
    error.details.flatMap((detail): [string, string][] => {
      const line = lines[Number(/^lines\[(\d+)\]/.exec(detail.field)?.[1])]
      return line ? [[line.item, fieldMessage(detail)]] : []
    }),
  )
}

export const messageIn = (error: unknown): string =>
  error instanceof ApiError && error.code === "VALIDATION_ERROR"
    ? t(($) => $.stock.countInvalid)
    : messageOf(error)
