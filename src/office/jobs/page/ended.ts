import type { ErrorParams } from "../../../core/lib/refusal"
import { textsOf } from "../../../console/texts"
import { errorMessage } from "../../../console/texts/errors"
import type { JobEndReason } from "../model"

type Ended = Readonly<Record<JobEndReason, string>>

/** Why work in the background has ended, although nobody cancelled it. */
const en: Ended = {
  USER_INACTIVE: "It was stopped, because the user who started it is not active any more.",
  SESSIONS_ENDED:
    "It was stopped, because the user who started it got a new password or signed out on all devices.",
  KEY_REVOKED:
    "It was stopped, because the API key that started it was revoked or rotated, or its user is not active any more.",
  KEY_EXPIRED: "It was stopped, because the API key that started it has expired.",
  APP_DISCONNECTED:
    "It was stopped, because the app that started it is not connected any more or its user is not active any more.",
}
const de: Ended = {
  USER_INACTIVE: "Abgebrochen, weil der Benutzer, der damit begonnen hat, nicht mehr aktiv ist.",
  SESSIONS_ENDED:
    "Abgebrochen, weil der Benutzer, der damit begonnen hat, ein neues Passwort bekommen oder sich auf allen Geräten abgemeldet hat.",
  KEY_REVOKED:
    "Abgebrochen, weil der API-Schlüssel, mit dem begonnen wurde, widerrufen oder erneuert wurde oder sein Benutzer nicht mehr aktiv ist.",
  KEY_EXPIRED: "Abgebrochen, weil der API-Schlüssel, mit dem begonnen wurde, abgelaufen ist.",
  APP_DISCONNECTED:
    "Abgebrochen, weil die App, die damit begonnen hat, nicht mehr verbunden ist oder ihr Benutzer nicht mehr aktiv ist.",
}
const t = textsOf({ en, de })

export type JobFailure = { code: string; message: string; params?: Record<string, unknown> | undefined }

/** Why work in the background has failed, in the user's language. */
export function jobErrorInWords({ code, message, params = {} }: JobFailure): string {
  const { reason } = params
  if (isEndReason(reason)) return t(($) => $[reason])
  return errorMessage({ code, message, params: params as ErrorParams })
}

const isEndReason = (reason: unknown): reason is JobEndReason =>
  typeof reason === "string" && Object.hasOwn(en, reason)
