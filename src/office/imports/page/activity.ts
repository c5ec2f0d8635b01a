import { t } from "../../../console/texts"
import { isWaiting } from "./status"
import type { Wizard } from "./use-wizard"

/** What the page waits for. */
export function activityIn({ sending, check: { data } }: Wizard): string {
  if (sending.isSending) return t(($) => $.imports.sending)
  return t(($) => (data && isWaiting(data) ? $.imports.waiting : $.imports.reading))
}
