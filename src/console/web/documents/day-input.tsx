import { DateInput, type DateInputProps } from "@mantine/dates"
import { useRef, useState } from "react"
import { date } from "../format"
import { dayReader, isDay } from "./day"

const read = dayReader(navigator.languages)
const unread = `Enter a valid date, for example ${date("2026-11-15")} or 2026-11-15.`

type Props = Pick<
  DateInputProps,
  "label" | "description" | "required" | "clearable" | "minDate" | "error" | "onFocus" | "onBlur" | "w"
> & {
  /** A date as YYYY-MM-DD, or the typed text if it is not a valid date. */
  value?: string | null
  onChange?: (value: string | null) => void
}

/**
 * A date input. The date can be picked, or typed in the format of the user's system. Text that is not a valid date
 * stays in the input and is the value of the form, so the user never saves a date that differs from the one on screen.
 */
export function DayInput({ value, onChange, minDate, error, onFocus, onBlur, ...props }: Props) {
  const [isTyping, setTyping] = useState(false)
  const isUnread = Boolean(value) && !isDay(value)
  const lastDay = useRef<string | null>(null)
  if (!isUnread) lastDay.current = value || null
  // The input keeps its own text. A new key remounts it when the form replaces invalid text with a date.
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
      clearButtonProps={{ "aria-label": "Clear date" }}
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
        // Enter belongs to the calendar. Documents are saved only with their buttons.
        if (event.key === "Enter") event.preventDefault()
      }}
    />
  )
}
