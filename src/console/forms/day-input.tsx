import { DateInput, type DateInputProps } from "@mantine/dates"
import { useRef, useState } from "react"
import { useMe } from "../api/hooks"
import { date } from "../format"
import { locales, t } from "../texts"
import { dayReader, isDay } from "./day"

const readDay = dayReader(locales)
const invalidMessage = t(($) => $.forms.date, { example: date("2026-11-15") })

type Props = Pick<
  DateInputProps,
  | "label"
  | "description"
  | "placeholder"
  | "required"
  | "clearable"
  | "minDate"
  | "maxDate"
  | "error"
  | "onFocus"
  | "onBlur"
  | "w"
> & {
  /** A date as YYYY-MM-DD, or the typed text if it is not a valid date. */
  value?: string | null
  onChange?: (value: string | null) => void
  /** True for a day on which something has happened: one that is typed without its year is not after today. */
  isPast?: boolean
}

/** Reads what is typed. A date without its year is the nearest one that the field can have. */
function useReader(isPast: boolean | undefined, maxDate: Props["maxDate"]): (typed: string) => string | null {
  const { today } = useMe().company
  const latest = isPast ? today : typeof maxDate === "string" ? maxDate : undefined
  return (typed) => readDay(typed, { today, ...(latest && { latest }) })
}

/**
 * A date input. The date can be picked, or typed in the format of the user's system. Text that is not a valid date
 * stays in the input and is the value of the form, so the user never saves a date that differs from the one on screen.
 */
export function DayInput({ value, onChange, minDate, isPast, error, onFocus, onBlur, ...props }: Props) {
  const read = useReader(isPast, props.maxDate)
  const [isTyping, setTyping] = useState(false)
  const isInvalid = Boolean(value) && !isDay(value)
  const lastDay = useRef<string | null>(null)
  if (!isInvalid) lastDay.current = value || null
  // The input keeps its own text. A new key remounts it when the form replaces invalid text with a date.
  const mounts = useRef({ isInvalid, count: 0 })
  if (mounts.current.isInvalid !== isInvalid)
    mounts.current = { isInvalid, count: mounts.current.count + Number(!isInvalid && !isTyping) }

  const onTyped = (typed: string) => {
    if (typed.trim() !== "") onChange?.(read(typed) ?? typed)
    else if (!props.clearable) onChange?.(lastDay.current)
  }
  return (
    <DateInput
      key={mounts.current.count}
      {...props}
      value={lastDay.current}
      onChange={onChange}
      onInput={(event) => onTyped(event.currentTarget.value)}
      error={isInvalid && !isTyping ? invalidMessage : error}
      fixOnBlur={!isInvalid}
      minDate={isDay(minDate) ? minDate : undefined}
      valueFormat={(day) => date(day.slice(0, 10))}
      dateParser={read}
      // Tab goes to the next input. Without the button, the date is cleared by deleting its text.
      clearButtonProps={{ "aria-label": t(($) => $.forms.clearDate), tabIndex: -1 }}
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
        // Enter must not submit the form. Documents are saved only with their buttons.
        if (event.key === "Enter") event.preventDefault()
      }}
    />
  )
}
