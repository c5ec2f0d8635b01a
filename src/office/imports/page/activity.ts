import { t } from "./texts"
import { isWaiting } from "./status"
import type { Wizard } from "./use-wizard"

/** What the page waits for. */
export function activityIn({ sending, check: { data } }: Wizard): string {
  if (sending.isSending) return t(($) => $.sending)
  return t(($) => (data && isWaiting(data) ? $.waiting : $.reading))
}
