import { Refusal } from "../../core/lib/refusal"

const sentences = {
  USER_INACTIVE: "The user who started this job is not active any more.",
  SESSIONS_ENDED:
    "The sessions of the user who started this job were ended: by a new password, or by signing out on all devices.",
  KEY_REVOKED:
    "The API key that started this job was revoked or rotated, or its user is not active any more.",
  KEY_EXPIRED: "The API key that started this job has expired.",
  APP_DISCONNECTED:
    "The app that started this job is not connected any more, or its user is not active any more.",
} as const

/** Why a job lost its caller. It is the parameter `reason` of the error. */
export type JobEndReason = keyof typeof sentences

/** The error of a job that has no caller any more. */
export const jobEnded = (reason: JobEndReason): Refusal =>
  new Refusal("FORBIDDEN", `${sentences[reason]} What was done before stays.`, { params: { reason } })
