import type { ErrorParams } from "../../core/lib/refusal"
import type { JobEndReason } from "../../office/jobs/ended"
import { t } from "../texts"
import { errorMessage } from "../texts/errors"

export type JobFailure = { code: string; message: string; params?: Record<string, unknown> | undefined }

/** Why work in the background has failed, in the user's language. */
export function jobErrorInWords({ code, message, params = {} }: JobFailure): string {
  const { reason } = params
  if (isEndReason(reason)) return t(($) => $.jobs.ended[reason])
  return errorMessage({ code, message, params: params as ErrorParams })
}

const isEndReason = (reason: unknown): reason is JobEndReason =>
  typeof reason === "string" &&
  Object.hasOwn(
    t(($) => $.jobs.ended, { returnObjects: true }),
    reason,
  )
