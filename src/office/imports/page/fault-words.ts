import type { ErrorParams, FieldError } from "../../../core/lib/refusal"
import { errorTexts, t } from "../../../console/texts"
import { detailIn, errorMessage } from "../../../console/texts/errors"
import type { Texts } from "../../../console/texts/texts"
import { nameOfField, type Import, type ImportKind } from "./kinds"
import { shownParams } from "./params"

type Fault = Import["faults"][number]
type FaultCode = keyof Texts["imports"]["faultIn"]

/** What is wrong with a row, in the user's language. */
export function faultInWords({ field, code = "", message, params = {} }: Fault, kind: ImportKind): string {
  if (isOfFile(code)) return `${t(($) => $.imports.faultIn[code], shownParams(params))}.`
  if (field === null) return errorMessage({ code, message })
  const name = nameOfField(field, kind)
  // The server begins its English sentence with the name of the field in the API.
  if (!errorTexts) return message.startsWith(`${field} `) ? `${name}${message.slice(field.length)}` : message
  const detail = { field, code: code as FieldError["code"], message, params: params as ErrorParams }
  return `${name}: ${detailIn(errorTexts, detail)}`
}

/** The codes that are not those of a field's errors. */
const fileCodes: Record<FaultCode, true> = {
  NOT_A_NUMBER: true,
  AMBIGUOUS_NUMBER: true,
  NOT_A_DATE: true,
  AMBIGUOUS_DATE: true,
  MONTH_FIRST: true,
  NOT_A_BOOLEAN: true,
  NOT_A_LIST: true,
  NOT_AN_OBJECT: true,
  FORMULA_ERROR: true,
  CELL_TOO_LONG: true,
  TOO_MANY_CELLS: true,
  IN_FILE_TWICE: true,
}

const isOfFile = (code: string): code is FaultCode => Object.hasOwn(fileCodes, code)
