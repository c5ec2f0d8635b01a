import { DateInput, type DateInputProps } from "@mantine/dates"
import { useRef, useState } from "react"
import { date } from "../format"
import { dayReader, isDay } from "./day"

const read = dayReader(navigator.languages)
const unread = `This is not a date that can be read. Write it as ${date("2026-11-15")}, or as 2026-11-15.`

type Props = Pick<
  DateInputProps,
  "label" | "description" | "required" | "clearable" | "minDate" | "error" | "onFocus" | "onBlur" | "w"
> & {
  /** A day; or what was typed, while it is none. */
  value?: string | null
  onChange?: (value: string | null) => void
}

/**
 * A day, picked or typed as the person's own system writes it. What cannot be read stays as it was typed, and is the
 * value of the form: so nobody saves another day than they see.
 */
export function DayInput({ value, onChange, minDate, error, onFocus, onBlur, ...props }: Props) {
  const [isTyping, setTyping] = useState(false)
  const isUnread = Boolean(value) && !isDay(value)
  const lastDay = useRef<string | null>(null)
  if (!isUnread) lastDay.current = value || null
  // The input keeps its own text. A new key mounts it again when the form replaces an unread text by a day.
  const times = useRef({ isUnread, count: 0 })
  if (times.current.isUnread !== isUnread)
    times.current = { isUnread, count: times.current.count + Number(!isUnread && !isTyping) }

  const take = (typed: string) => {
    if (typed.trim() !== "") onChange?.(read(typed) ?? typed)
    else if (!props.clearable) onChange?.(lastDay.current)
  }
  return (
    <DateInput
      key={times.current.count}
      {...props}
      value={lastDay.current}
      onChange={onChange}
      onInput={(event) => take(event.currentTarget.value)}
      error={isUnread && !isTyping ? unread : error}
      fixOnBlur={!isUnread}
      minDate={isDay(minDate) ? minDate : undefined}
      valueFormat={(day) => date(day.slice(0, 10))}
      dateParser={read}
      clearButtonProps={{ "aria-label": "Clear the date" }}
      popoverProps={{ withinPortal: true }}
      onFocus={(event) => {
        setTyping(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyping(false)
        onBlur?.(event)
      }}
      onKeyDown={(event) => {
        // Enter is for the calendar; a document is sent by its buttons.
        if (event.key === "Enter") event.preventDefault()
      }}
    />
  )
}
