import { DateInput, type DateInputProps } from "@mantine/dates"
import { date } from "../format"
import { orderOfParts, readDay } from "./day"

const order = orderOfParts(navigator.languages)

type Props = Pick<
  DateInputProps,
  "label" | "description" | "required" | "clearable" | "minDate" | "error" | "value" | "onChange"
>

/** A day, picked or typed as the person's own system writes it. */
export const DayInput = (props: Props) => (
  <DateInput
    {...props}
    valueFormat={(value) => date(value.slice(0, 10))}
    dateParser={(typed) => readDay(typed, order)}
    clearButtonProps={{ "aria-label": "Clear the date" }}
    popoverProps={{ withinPortal: true }}
    onKeyDown={(event) => {
      // Enter is for the calendar; a document is sent by its buttons.
      if (event.key === "Enter") event.preventDefault()
    }}
  />
)
