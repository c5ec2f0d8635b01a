import { Group, Radio, Select, SimpleGrid, Stack, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { RecurringInvoice } from "../../../console/api/types"
import { isDay } from "../../../console/forms/day"
import { DayInput } from "../../../console/forms/day-input"
import { NumberField } from "../../../console/forms/number-field"
import type { Typed } from "../../../console/forms/number"
import { date } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import {
  type Every,
  nextStarts,
  type RecurrenceUnit,
  recurrenceUnits,
} from "../../../shared/recurrence/periods"
import { NoAddress } from "../../../trade/page/mail/no-address"
import { invoiceAddressOf } from "../../../trade/page/mail/recipient"
import { Note } from "../../../trade/page/view/note"
import { t } from "./texts"

/** What the form of a recurring invoice has in addition to that of a draft. */
export type OwnValues = {
  every: { unit: RecurrenceUnit; count: Typed }
  startsOn: string | null
  endsOn: string | null
  occurrences: Typed
  mode: RecurringInvoice["mode"]
  prices: RecurringInvoice["prices"]
}

/** How long a period is, in words: "every month", "every 2 weeks". */
export const intervalText = ({ unit, count }: Every): string => t(($) => $.interval[unit], { count })

const nameOf = (field: string) => fieldName(field, { of: "recurring-invoices" })

type Props = {
  form: UseFormReturnType<OwnValues>
  /** The number of the next period, which is 1 for a new one. After the first, the start and the length are fixed. */
  nextPeriod: number
  isPaused: boolean
}

/** When invoices are made, and until when. */
export function ScheduleInputs({ form, nextPeriod, isPaused }: Props) {
  const isStarted = nextPeriod > 1
  return (
    <>
      <Group align="start" wrap="nowrap" gap="xs">
        <NumberField
          label={nameOf("every")}
          required
          disabled={isStarted}
          w={90}
          {...form.getInputProps("every.count")}
        />
        <Select
          label={t(($) => $.unit)}
          data={recurrenceUnits.map((value) => ({ value, label: t(($) => $.units[value]) }))}
          allowDeselect={false}
          disabled={isStarted}
          {...form.getInputProps("every.unit")}
        />
      </Group>
      <DayInput
        label={nameOf("startsOn")}
        description={isStarted ? t(($) => $.fixed) : undefined}
        required={!isStarted}
        {...form.getInputProps("startsOn")}
      />
      <DayInput
        label={nameOf("endsOn")}
        description={t(($) => $.endsOnHint)}
        clearable
        {...form.getInputProps("endsOn")}
      />
      <NumberField
        label={nameOf("occurrences")}
        description={t(($) => $.occurrencesHint)}
        {...form.getInputProps("occurrences")}
      />
      <NextDates values={form.values} nextPeriod={nextPeriod} isPaused={isPaused} />
    </>
  )
}

const shownDates = 5
/** No more periods that have begun are made up for. */
const mostCaughtUp = 12

/** The first dates of a schedule from a period on; none if it is not typed completely. */
function startsOf({ startsOn, endsOn, occurrences, every }: OwnValues, nextPeriod: number, most: number) {
  const { unit, count } = every
  const isKnown = isDay(startsOn) && Number.isInteger(count) && Number(count) >= 1 && Number(count) <= 120
  const schedule = {
    every: { unit, count: Number(count) },
    startsOn: startsOn ?? "",
    endsOn: endsOn !== null && isDay(endsOn) ? endsOn : null,
    occurrences: typeof occurrences === "number" ? occurrences : null,
  }
  return isKnown ? nextStarts(schedule, nextPeriod, most) : []
}

/** The number of invoices that are made immediately. */
export const begunPeriods = (values: OwnValues, nextPeriod: number, today: string): number =>
  startsOf(values, nextPeriod, mostCaughtUp).filter((date) => date <= today).length

type NextDatesProps = { values: OwnValues } & Pick<Props, "nextPeriod" | "isPaused">

/** The dates of the next invoices, while they are typed. Those of periods that have begun are made at once, and not back then. */
function NextDates({ values, nextPeriod, isPaused }: NextDatesProps) {
  const { today } = useMe().company
  const begun = isPaused ? 0 : begunPeriods(values, nextPeriod, today)
  const all = startsOf(values, nextPeriod, begun + shownDates).map((each) => date(each))
  const [made, dates] = [all.slice(0, begun), all.slice(begun)]
  return (
    <Stack gap={2} style={{ gridColumn: "1 / -1" }} aria-live="polite">
      <Text size="sm" fw={500}>
        {t(($) => $.nextDates)}
      </Text>
      {begun > 0 && <Text size="sm">{t(($) => $.begunDates, { count: begun, dates: made.join(", ") })}</Text>}
      {(begun === 0 || dates.length > 0) && (
        <Text size="sm" className="figures">
          {dates.length > 0 ? dates.join(" · ") : t(($) => $.noDates)}
        </Text>
      )}
    </Stack>
  )
}

/** What is made, and where its prices come from. */
export const ModeInputs = ({ form }: { form: UseFormReturnType<OwnValues & { customer: string }> }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <Radio.Group label={nameOf("mode")} {...form.getInputProps("mode")}>
      <Stack gap="xs" mt={6}>
        {(["draft", "issue", "send"] as const).map((value) => (
          <Radio
            key={value}
            value={value}
            label={common(($) => $.values.recurringMode[value])}
            description={t(($) => $.modeHints[value])}
          />
        ))}
        {form.values.mode === "send" && <Unreachable customer={form.values.customer} />}
      </Stack>
    </Radio.Group>
    <Radio.Group label={nameOf("prices")} {...form.getInputProps("prices")}>
      <Stack gap="xs" mt={6}>
        {(["template", "item"] as const).map((value) => (
          <Radio
            key={value}
            value={value}
            label={common(($) => $.values.recurringPrices[value])}
            description={t(($) => $.priceHints[value])}
          />
        ))}
      </Stack>
    </Radio.Group>
  </SimpleGrid>
)

/** Says that nothing can be sent to a customer, before the first invoice waits for it. */
function Unreachable({ customer }: { customer: string }) {
  const { data } = useRecord("customers", customer)
  if (!data || invoiceAddressOf(data) !== null) return null
  return (
    <Note>
      <NoAddress customer={customer} name={data.name} />
    </Note>
  )
}
