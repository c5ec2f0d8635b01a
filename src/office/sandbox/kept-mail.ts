import { business } from "../../core/lib/clock"
import type { Envelope } from "../mail/transport/deliver"

/** Mail that was kept instead of sent. */
export type KeptMail = {
  /** The ID of the message; null for a test of the settings. */
  message: string | null
  sentAt: string
  from: string
  to: string[]
  bcc: string | null
  subject: string
  text: string
  attachments: { name: string; type: string; bytes: number }[]
}

/** More are not kept: the oldest ones go first. */
const mostKept = 500

/** What a demo keeps in place of sending it, the newest first. */
export function keptMail() {
  let kept: KeptMail[] = []
  return {
    list: (): readonly KeptMail[] => kept,
    clear: (): void => void (kept = []),
    add({ from, to, bcc = null, content }: Envelope): void {
      if (!content) return
      const attachments = content.files.map(({ name, type, bytes }) => ({ name, type, bytes: bytes.length }))
      const mail = { message: content.id, sentAt: business.now(), from, to: [...to], bcc }
      kept = [{ ...mail, subject: content.subject, text: content.message, attachments }, ...kept].slice(
        0,
        mostKept,
      )
    },
  }
}
