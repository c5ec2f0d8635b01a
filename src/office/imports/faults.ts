import type { Warning } from "../../core/lib/warning"
import { Refusal } from "../../core/lib/refusal"
import type { JobFault } from "../jobs/model"
import type { SheetErrorReason, SheetFaultCode } from "../sheets/model"
import type { Counts, MappedColumn } from "./model"

/** The codes of faults of rows and cells. A fault of a field has the code of its error. */
export type ImportFaultCode = SheetFaultCode | "IN_FILE_TWICE"

/** Why a whole file is not imported. It is the parameter `reason` of the error. */
export type ImportErrorReason = SheetErrorReason | "NO_ROWS" | "COLUMN_MISSING" | "FILE_MISSING"

export const fileRefused = (
  reason: ImportErrorReason,
  message: string,
  params: Record<string, string | number> = {},
): Refusal => new Refusal("VALIDATION_ERROR", message, { params: { ...params, reason } })

export function invalidRows({ invalid, rows }: Pick<Counts, "invalid" | "rows">): Refusal {
  const subject =
    rows === 1 ? "The only row is" : `${invalid} of ${rows} rows ${invalid === 1 ? "is" : "are"}`
  const advice = `Correct the file${invalid < rows ? ", or import the other rows with skipInvalid=true" : ""}.`
  return new Refusal("IMPORT_INVALID", `${subject} wrong, so nothing was imported. ${advice}`, {
    params: { invalid, rows },
  })
}

export function faultsOf(
  row: number,
  { code, details, message }: Refusal,
  columns: readonly MappedColumn[],
): JobFault[] {
  if (details.length === 0) return [{ row, column: null, field: null, code, message }]
  return details.map((detail) => ({
    row,
    column: columnOf(detail.field, columns),
    field: detail.field,
    code: detail.code,
    ...(detail.params ? { params: { ...detail.params } } : {}),
    message: `${detail.field} ${detail.message}.`,
  }))
}

/** The warnings of a row that is not wrong. */
export const warningsOf = (
  row: number,
  warnings: readonly Warning[],
  columns: readonly MappedColumn[],
): JobFault[] =>
  warnings.map(({ field, code, params, message }) => ({
    row,
    column: columnOf(field, columns),
    field,
    code,
    params: { ...params },
    message,
  }))

/**
 * Returns the title of the column that a field came from. The field may be a part of it: `images[2]`, `metadata.color`. Of an
 * object with several columns it is the first one.
 */
export function columnOf(field: string, columns: readonly MappedColumn[]): string | null {
  const known = columns.flatMap((each) => (each.field === null ? [] : [{ ...each, field: each.field }]))
  const found =
    known.find((each) => isWithin(field, each.field)) ?? known.find((each) => isWithin(each.field, field))
  return found?.column ?? null
}

const isWithin = (field: string, whole: string): boolean =>
  field === whole || field.startsWith(`${whole}[`) || field.startsWith(`${whole}.`)
