import type { ImportErrorReason } from "../faults"
import { messageOf } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { number } from "../../../console/format"
import { jobErrorInWords } from "../../../console/parts/shown"
import { t } from "./texts"
import type { Import } from "./kinds"
import { megabytes, shownParams } from "./params"

type Failure = NonNullable<Import["error"]>

/** Why an import has failed. */
export function errorInWords(failure: Failure): string {
  const { code, message, params = {} } = failure
  if (code === "CANCELLED") return t(($) => $.cancelled)
  if (code === "IMPORT_INVALID") return wrongInWords(Number(params.invalid), Number(params.rows))
  // Without a reason, a sentence about the file is the server's own, because its code says less.
  return ofFile(failure) ?? (code === "VALIDATION_ERROR" ? message : jobErrorInWords(failure))
}

function wrongInWords(invalid: number, rows: number): string {
  if (rows === 1) return t(($) => $.onlyRowWrong)
  return t(($) => $.rowsWrong, { count: invalid, shown: number(invalid), total: number(rows) })
}

/** Why a file could not be sent. */
export function sendingErrorInWords(error: unknown): string {
  return (error instanceof ApiError ? ofFile(error) : null) ?? messageOf(error)
}

/** What is wrong with the file, if the error says it. */
function ofFile({ code, params = {} }: Pick<ApiError, "code"> & Pick<Failure, "params">): string | null {
  const { reason, max } = params
  if (isReason(reason)) return t(($) => $.refused[reason], shownParams(params))
  if (code === "PAYLOAD_TOO_LARGE" && typeof max === "number")
    return t(($) => $.refused.TOO_LARGE, shownParams({ max: megabytes(max) }))
  return null
}

const isReason = (reason: unknown): reason is ImportErrorReason =>
  typeof reason === "string" &&
  Object.hasOwn(
    t(($) => $.refused, { returnObjects: true }),
    reason,
  )
