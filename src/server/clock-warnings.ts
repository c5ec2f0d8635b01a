import type { Database } from "../core/engine/engine"
import { clock, leeway } from "../core/lib/clock"
import type { ServerWarning } from "../core/lib/warning"
import { aheadSentence, aheadUntil } from "../core/write/clock-jumps"

/** What admins should know about the clock: that it is behind now or was ahead once, and that other clocks differ. */
export function clockWarnings(db: Database): ServerWarning[] {
  const warnings: ServerWarning[] = []
  const until = aheadUntil(db)
  if (until !== null)
    warnings.push({ code: "CLOCK_SET_BACK", message: aheadSentence(until), params: { until } })
  const seconds = Math.round(differenceOf(db) / 1000)
  if (seconds * 1000 > leeway)
    warnings.push({
      code: "CLOCKS_DIFFER",
      message: `The clocks of this server and of its database differ by ${seconds} seconds. Set them right: dates and times of records follow the clock of the server that writes them.`,
      params: { seconds },
    })
  return warnings
}

/** By how much the clock of this machine and that of the database differ, in milliseconds. */
function differenceOf(db: Database): number {
  const other = db.engine.otherClock()
  return other === null ? 0 : Math.abs(clock.real() - other)
}
