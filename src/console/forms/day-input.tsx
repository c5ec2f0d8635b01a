import { DateInput, type DateInputProps } from "@mantine/dates"
import { type KeyboardEvent, useRef, useState } from "react"
import { useMe } from "../api/hooks"
import { date } from "../format"
import { IconCalendar } from "../parts/icons"
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

const dropdown = "[data-dates-dropdown]"

/**
 * The calendar below an input. It opens by a click or with the arrow key, and never because the input has got the focus,
 * as it would cover the buttons that a person at the keyboard is about to reach. A second arrow key goes into it.
 */
function useCalendar() {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const close = () => setOpen(false)
  const leave = () => {
    input.current?.focus()
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") close()
    if (event.key !== "ArrowDown") return
    event.preventDefault()
    if (isOpen) dayToBeginWith()?.focus()
    setOpen(true)
  }
  // A dialog reads Escape before everybody else, unless the element that has the focus says that it needs the key.
  const escapes = { "data-mantine-stop-propagation": true }
  const getDayProps = () => ({
    ...escapes,
    onClick: leave,
    onKeyDown: ({ key }: KeyboardEvent) => {
      // Tab goes to the input that follows this one.
      if (key === "Escape" || key === "Tab") leave()
    },
  })
  const popoverProps = { withinPortal: true, opened: isOpen, onDismiss: close }
  const inputProps = { ref: input, onClick: () => setOpen(true), getDayProps, popoverProps }
  return { onKeyDown, close, inputProps: { ...inputProps, ...(isOpen && escapes) } }
}

const dayToBeginWith = (): HTMLElement | null =>
  ["[data-selected]", "[data-today]", ":not([data-outside])"]
    .map((which) => document.querySelector<HTMLElement>(`${dropdown} td button${which}:not(:disabled)`))
    .find((day) => day !== null) ?? null

const isInCalendar = (element: Element | null): boolean => element?.closest(dropdown) != null

/**
 * A date input. The date can be picked, or typed in the format of the user's system. Text that is not a valid date
 * stays in the input and is the value of the form, so the user never saves a date that differs from the one on screen.
 */
export function DayInput({ value, onChange, minDate, isPast, error, onFocus, onBlur, ...props }: Props) {
  const read = useReader(isPast, props.maxDate)
  const calendar = useCalendar()
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
      onChange={(day) => {
        if (day === null) calendar.close()
        onChange?.(day)
      }}
      onInput={(event) => onTyped(event.currentTarget.value)}
      error={isInvalid && !isTyping ? invalidMessage : error}
      fixOnBlur={!isInvalid}
      minDate={isDay(minDate) ? minDate : undefined}
      valueFormat={(day) => date(day.slice(0, 10))}
      dateParser={read}
      // Tab goes to the next input. Without the button, the date is cleared by deleting its text.
      clearButtonProps={{ "aria-label": t(($) => $.forms.clearDate), tabIndex: -1 }}
      // A click on the icon is one on the input.
      rightSection={<IconCalendar size={16} aria-hidden />}
      {...calendar.inputProps}
      onFocus={(event) => {
        setTyping(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyping(false)
        if (!isInCalendar(event.relatedTarget)) calendar.close()
        onBlur?.(event)
      }}
      onKeyDown={(event) => {
        // Enter must not submit the form. Documents are saved only with their buttons.
        if (event.key === "Enter") event.preventDefault()
        calendar.onKeyDown(event)
      }}
    />
  )
}
