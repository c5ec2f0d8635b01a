import type { Message } from "../model"
import { moment } from "../../../console/format"
import { reasonInWords } from "./reasons"
import { t } from "./texts"

type Told = Pick<Message, "status" | "attempts" | "rejected" | "nextAttemptAt">

/** What people should know of a message besides its status, as sentences. */
export function outcomeOf({ status, attempts, rejected, nextAttemptAt }: Told): string[] {
  const last = attempts.at(-1)
  const words =
    last && (last.code === null ? reasonInWords(last.text) : t(($) => $.says, { text: last.text }))
  if (status === "failed" && words) return [words]
  if (status === "uncertain") return [t(($) => $.uncertain), ...(last?.code != null && words ? [words] : [])]
  if (status === "queued" && words)
    return [words, ...(nextAttemptAt ? [t(($) => $.nextAttempt, { time: moment(nextAttemptAt) })] : [])]
  if (status === "sent" && rejected.length > 0)
    return [t(($) => $.rejected, { addresses: rejected.join(", ") })]
  return []
}

/** True for a message that can be sent again. One that was not tried yet is sent at once anyway. */
export const isRetryable = ({ status, attempts }: Pick<Message, "status" | "attempts">): boolean =>
  status === "failed" || status === "uncertain" || (status === "queued" && attempts.length > 0)
