import { xmlTextOf } from "../../../shared/sheet-escape"
import type { Missing } from "../model"

export const isBlank = (text: string | null | undefined): boolean => xmlTextOf(text ?? null) === null

/** Reports a field, if it is missing or wrong. */
export const missingIf = (isMissing: boolean, field: string, rule: string, message: string): Missing[] =>
  isMissing ? [{ field, rule, message }] : []
