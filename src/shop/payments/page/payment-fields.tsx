import { TextInput } from "@mantine/core"
import type { GetInputPropsReturnType } from "@mantine/form"
import { DayInput } from "../../../console/forms/day-input"
import { methodInWords, methodOf, paymentMethods } from "../../../trade/page/suggestions"
import { SuggestInput } from "../../../console/forms/search-select"
import { t } from "../../../console/texts"
import { t as invoiceTexts } from "../../invoices/page/texts"

/** The order of an input and its hint, if inputs are side by side. */
export const hintBelow: ("label" | "input" | "error" | "description")[] = [
  "label",
  "input",
  "error",
  "description",
]

type HowProps<Field extends string = never> = {
  /** True if the inputs are side by side, where a hint above one of them would move it down. */
  isGrid?: boolean
  getInputProps: (field: Field | "method" | "reference") => GetInputPropsReturnType
}

type Props<Day extends string> = HowProps<Day> & {
  /** The name of the date in the request. */
  day: Day
}

/** The date, the method and the reference of a payment or of a refund. */
export const PaymentFields = <Day extends string>({ day, ...how }: Props<Day>) => (
  <>
    <DayInput label={invoiceTexts(($) => $.date)} required isPast {...how.getInputProps(day)} />
    <HowPaid {...how} />
  </>
)

/** The method: a text of the user, or one that the API names and the user reads in their language. */
const MethodInput = ({ value, onChange, ...props }: GetInputPropsReturnType) => (
  <SuggestInput
    label={t(($) => $.fields.method)}
    data={paymentMethods.map(methodInWords)}
    {...props}
    value={methodInWords(String(value ?? ""))}
    onChange={(typed) => onChange(methodOf(typed))}
  />
)

/** The method and the reference. */
export const HowPaid = ({ isGrid, getInputProps }: HowProps) => (
  <>
    <MethodInput {...getInputProps("method")} />
    <TextInput
      label={t(($) => $.fields.reference)}
      description={invoiceTexts(($) => $.referenceHint)}
      maxLength={100}
      inputWrapperOrder={isGrid ? hintBelow : undefined}
      {...getInputProps("reference")}
    />
  </>
)
