import { DatePickerInput } from "@mantine/dates"
import { useEffect, useState } from "react"
import { useMe } from "../api/hooks"
import { clock, localDay, localMoment } from "../clock"
import { date } from "../format"
import { t } from "../texts"
import { datePresets } from "./date-presets"
import type { ListState } from "./list-state"

type Range = [string | null, string | null]

/** Returns an empty text without a range, so that the placeholder is visible. */
const daysOf = ([from, to]: Range) => (from ? `${date(from)} – ${to ? date(to) : ""}` : "")

const rangeOf = (name: string, state: ListState): Range => [
  toDay(state.valueOf(`${name}[gte]`)),
  toDay(state.valueOf(`${name}[lte]`)),
]

/** The range of days that a list is filtered by; empty without one. */
export const daysInWords = (name: string, state: ListState): string => daysOf(rangeOf(name, state))

/** Filters by a range of days, which is picked in a calendar or from a list of common periods. */
export function DaysFilter({ name, label, state }: { name: string; label: string; state: ListState }) {
  const { today } = useMe().company
  const given = rangeOf(name, state)
  const [value, setValue] = useState(given)
  useEffect(() => setValue([given[0], given[1]]), [given[0], given[1]])
  const pick = ([from, to]: Range) => {
    setValue([from, to])
    // The user has picked only the first day of the range so far.
    if (from && !to) return
    const edges = isMoment(name)
      ? [instantOf(from, "00:00:00.000"), instantOf(to, "23:59:59.999")]
      : [from, to]
    state.change({ [`${name}[gte]`]: edges[0] ?? null, [`${name}[lte]`]: edges[1] ?? null })
  }
  return (
    <DatePickerInput
      type="range"
      allowSingleDateInRange
      aria-label={value[0] ? `${label}: ${daysOf(value)}` : label}
      valueFormatter={() => daysOf(value)}
      placeholder={label}
      value={value}
      onChange={pick}
      presets={presetsOf(isMoment(name) ? localDay(clock.business()) : today)}
      clearable
      w={{ base: "100%", xs: value[0] ? 250 : 150 }}
    />
  )
}

const presetsOf = (today: string) =>
  datePresets(today).map(({ period, value }) => ({ label: t(($) => $.lists.period[period]), value }))

/** Timestamps are shown in the user's time zone, so they are filtered by the user's day. Plain dates do not shift. */
const isMoment = (name: string) => name.endsWith("At")

const instantOf = (day: string | null, time: string): string | null => day && localMoment(day, time)

/** Returns a plain date unchanged, and a timestamp as the day in the user's time zone. */
const toDay = (value: string | null): string | null => (value?.includes("T") ? localDay(value) : value)
