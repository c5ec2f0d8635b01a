import { dateIn, later, millisOf, timestampOf } from "../shared/dates"
import type { Random } from "./random"

const day = 86_400_000
const hour = 3_600_000

/** How much is sold in each month, from January on: people furnish in autumn and buy presents before Christmas. */
const seasons = [0.7, 0.75, 0.95, 1, 1.05, 0.9, 0.7, 0.75, 1.05, 1.2, 1.55, 1.4]
/** From Sunday on. */
const weekdays = [0, 1, 1.1, 1.05, 1.05, 0.9, 0.3]
/** How much more is sold at the end of the time than at its beginning. */
const growth = 0.5

/** Returns the times of `count` orders in the days before `now`, in their order. None is in the future. */
export function orderTimes(
  random: Random,
  { now, days, count }: { now: string; days: number; count: number },
) {
  const first = millisOf(`${dateIn("UTC", later(now, -days * day))}T00:00:00.000Z`)
  let sum = 0
  const until = Array.from({ length: days }, (_, i) => {
    const date = dateIn("UTC", first + i * day)
    const season = seasons[Number(date.slice(5, 7)) - 1] ?? 1
    // 1970-01-01 was a Thursday.
    const weekday = weekdays[(Math.floor(millisOf(date) / day) + 4) % 7] ?? 1
    return (sum += season * weekday * (1 + (growth * i) / days))
  })
  const times = Array.from({ length: count }, (_, i) => {
    const place = ((i + random()) / count) * sum
    const found = until.findIndex((end) => end > place)
    return first + (found < 0 ? days - 1 : found) * day + 8 * hour + Math.floor(random() * 9 * hour)
  })
  return times.toSorted((a, b) => a - b).map(timestampOf)
}
