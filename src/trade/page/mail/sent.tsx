import { moment } from "../../../console/format"
import type { HeaderFact } from "../record-page"
import { t } from "./texts"

type Sent = { lastSentAt: string | null }

/** When a document was last sent, in its header. */
export const sentFact = ({ lastSentAt }: Sent): HeaderFact | false =>
  lastSentAt !== null && { label: t(($) => $.lastSentAt), value: moment(lastSentAt) }

/** The column of a list. */
export const sentColumn = {
  key: "lastSentAt",
  title: t(($) => $.lastSentAt),
  show: ({ lastSentAt }: Sent) => (lastSentAt === null ? "–" : moment(lastSentAt)),
} as const
