import { Button, Group, Modal, Radio, Select, SimpleGrid, Stack, Table, Text } from "@mantine/core"
import { useMe } from "../../../console/api/hooks"
import { currencySymbol, decimal, digitsOf, number, price } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { t as common } from "../../../console/texts"
import { t } from "../../items/texts"
import { hasEnded, PriceJobView, startReprice, usePriceJob } from "./price-job"
import {
  bodyOf,
  changesNothing,
  emptyForm,
  type Filter,
  type PriceForm,
  type PricePreview,
  usePreview,
  type Change,
  markOf,
} from "./reprice"
import { useEffect, useRef, useState } from "react"
import { tellError } from "../../../console/parts/tell"
import { invalidNumber, NumberField } from "../../../console/forms/number-field"
import { messageOf } from "../../../console/api/client"
import { ApiError, type FieldError } from "../../../console/api/send"
import { fieldMessage } from "../../../console/forms/field-errors"
import { fieldName } from "../../../console/texts/fields"

type Props = {
  filter: Filter
  /** The job, if it was started. */
  jobId: string | null
  onStarted: (id: string) => void
  /** `hasChangedNothing` is true if the job has ended and the user cannot undo anything. */
  onClose: (hasChangedNothing: boolean) => void
}

/** Changes the prices of many items: shows the first ten before and after, then how far the job has come. */
export function PriceDialog({ filter, jobId, onStarted, onClose }: Props) {
  useRestoreFocus()
  const { data: job } = usePriceJob(jobId)
  const isDone = job !== undefined && hasEnded(job)
  const isRunning = jobId !== null && !isDone
  const close = () => onClose(isDone && job.counts.updated === 0)
  return (
    <Modal
      opened
      onClose={close}
      title={t(($) => $.bulk.priceTitle)}
      size="lg"
      closeOnClickOutside={!isRunning}
    >
      {job ? (
        <PriceJobView job={job} onClose={close} />
      ) : (
        <PriceRequest filter={filter} onStarted={onStarted} onClose={close} />
      )}
    </Modal>
  )
}

type RequestProps = { filter: Filter; onStarted: (id: string) => void; onClose: () => void }

function PriceRequest({ filter, onStarted, onClose }: RequestProps) {
  const { currency } = useMe().company
  const { form, change, start, isStarting, errors, data, isReady } = usePriceForm(filter, onStarted)
  return (
    <Stack>
      <PriceFields form={form} currency={currency} errors={errors} onChange={change} />
      <ErrorAlert message={errors.other ?? null} />
      {data && <PreviewTable of={data} currency={currency} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common(($) => $.common.cancel)}
        </Button>
        <BusyButton isBusy={isStarting} disabled={!isReady} onClick={start}>
          {data
            ? t(($) => $.bulk.changePrices, { count: data.matched, shown: number(data.matched) })
            : t(($) => $.bulk.priceTitle)}
        </BusyButton>
      </Group>
    </Stack>
  )
}

/** The form of a price change with its preview, and a function that starts the change. */
function usePriceForm(filter: Filter, onStarted: (id: string) => void) {
  const [form, setForm] = useState(emptyForm)
  const [isStarting, setStarting] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const isOpen = useIsOpen()
  const body = bodyOf(filter, form)
  const { data, error: refused, isCurrent } = usePreview(body)
  const error = failed ?? (body ? refused : null)
  const wrong = typedError(form)
  const errors: PriceErrors = wrong !== null ? { value: wrong } : error ? refusedErrors(error, form) : {}
  const start = () => {
    if (!body) return
    setStarting(true)
    startReprice(body)
      .then(onStarted)
      .catch((cause: unknown) => {
        // The user may have closed the dialog meanwhile, and must still learn that nothing was started.
        if (!isOpen.current) return tellError(cause)
        setFailed(cause)
        setStarting(false)
      })
  }
  return {
    form,
    change: (next: typeof form) => {
      setForm(next)
      setFailed(null)
    },
    start,
    isStarting,
    errors,
    /** The preview, unless there is none for what was typed. */
    data: body && !refused ? data : undefined,
    isReady: isCurrent && refused === null,
  }
}

function useIsOpen() {
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}

type PriceFieldsProps = {
  form: PriceForm
  currency: string
  errors: PriceErrors
  onChange: (form: PriceForm) => void
}

const roundings = ["0.01", "0.05", "0.1", "1"]
const endings = ["0.99", "0.95", "0.9", "0.5", "0"]

/** By how much prices change, and how they are rounded. */
const PriceFields = (props: PriceFieldsProps) => (
  <>
    <DirectionField {...props} />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ChangeFields {...props} />
      <RoundingFields {...props} />
    </SimpleGrid>
  </>
)

const DirectionField = ({ form, onChange }: PriceFieldsProps) => (
  <Radio.Group
    label={t(($) => $.bulk.direction)}
    value={form.direction}
    onChange={(direction) => onChange({ ...form, direction: direction === "down" ? "down" : "up" })}
  >
    <Group mt={4}>
      <Radio value="up" label={t(($) => $.bulk.up)} />
      <Radio value="down" label={t(($) => $.bulk.down)} />
    </Group>
  </Radio.Group>
)

const ChangeFields = ({ form, currency, errors, onChange }: PriceFieldsProps) => (
  <>
    <NumberField
      label={t(($) => $.bulk.value)}
      value={form.value}
      error={errors.value}
      data-autofocus
      onChange={(value) => onChange({ ...form, value })}
    />
    <Select
      label={t(($) => $.bulk.by)}
      data={[
        { value: "percent", label: t(($) => $.bulk.percent) },
        { value: "amount", label: currencySymbol(currency) },
      ]}
      value={form.by}
      allowDeselect={false}
      onChange={(by) => onChange({ ...form, by: by === "amount" ? "amount" : "percent" })}
    />
  </>
)

/** An ending decides the price, so a rounding does not apply. It stays chosen, for when the ending is removed. */
const RoundingFields = ({ form, currency, errors, onChange }: PriceFieldsProps) => (
  <>
    <Select
      label={t(($) => $.bulk.round)}
      data={choices(
        t(($) => $.bulk.roundDefault),
        roundings,
        currency,
      )}
      value={form.round}
      error={errors.round}
      allowDeselect={false}
      disabled={form.ending !== ""}
      description={form.ending === "" ? undefined : t(($) => $.bulk.roundUnused)}
      inputWrapperOrder={["label", "input", "description", "error"]}
      onChange={(round) => onChange({ ...form, round: round ?? "" })}
    />
    <Select
      label={t(($) => $.bulk.ending)}
      data={choices(
        t(($) => $.bulk.anyEnding),
        endingsIn(currency),
        currency,
      )}
      value={form.ending}
      error={errors.ending}
      allowDeselect={false}
      onChange={(ending) => onChange({ ...form, ending: ending ?? "" })}
    />
  </>
)

/** The endings that a price of the currency can have. A price in yen has no decimals. */
const endingsIn = (currency: string): string[] =>
  endings.filter((ending) => ending.replace(/^0\.?/, "").length <= digitsOf(currency))

const choices = (none: string, values: readonly string[], currency: string) => [
  { value: "", label: none },
  ...values.map((value) => ({ value, label: decimal(Number(value), currency) })),
]

type Field = "value" | "round" | "ending"

/** What is wrong at which field of the dialog, and what is wrong with the rest of the request. */
type PriceErrors = Partial<Record<Field, string>> & { other?: string }

/** What is wrong with a change before the server is asked. The direction is chosen, so a number has no sign. */
function typedError(form: PriceForm): string | null {
  const { value } = form
  if (changesNothing(form)) return t(($) => $.bulk.zero)
  if (typeof value === "string") return value === "" ? null : invalidNumber
  return value < 0
    ? fieldMessage({ field: "value", code: "TOO_SMALL", message: "must be at least 0", params: { min: 0 } })
    : null
}

/** What the server has refused, at the fields of the dialog. */
function refusedErrors(error: unknown, { direction }: PriceForm): PriceErrors {
  if (!(error instanceof ApiError) || error.code !== "VALIDATION_ERROR") return { other: messageOf(error) }
  const errors: PriceErrors = {}
  const others: string[] = []
  for (const detail of error.details) {
    const field = fieldOf(detail)
    if (field === null) others.push(`${labelOf(detail)}: ${fieldMessage(detail)}.`)
    else errors[field] = fieldMessage(direction === "down" ? withoutSign(detail) : detail)
  }
  return others.length > 0 ? { ...errors, other: [error.message, ...others].join(" ") } : errors
}

function fieldOf({ field }: FieldError): Field | null {
  if (field === "change" || field.startsWith("change.")) return "value"
  return field === "round" || field === "ending" ? field : null
}

/** filter.sellingPrice[gte] → Selling price */
const labelOf = ({ field }: FieldError): string =>
  fieldName(/([^.[]+)(?:\[\w+\])?$/.exec(field)?.[1] ?? field)

/** Converts the lower bound of a decrease, which the server knows as a negative number, to an upper bound. */
function withoutSign(detail: FieldError): FieldError {
  const min = detail.params?.min
  if (detail.code !== "TOO_SMALL" || typeof min !== "number") return detail
  return { ...detail, code: "TOO_LARGE", message: `must be at most ${-min}`, params: { max: -min } }
}

/** The first prices before and after a change. */
const PreviewTable = ({ of, currency }: { of: PricePreview; currency: string }) => (
  <div>
    <Counts of={of.counts} />
    <Table.ScrollContainer
      minWidth={0}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.bulk.preview) },
      }}
    >
      <Table aria-label={t(($) => $.bulk.preview)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{common(($) => $.fields.item)}</Table.Th>
            <Table.Th ta="right">{t(($) => $.bulk.before)}</Table.Th>
            <Table.Th ta="right">{t(($) => $.bulk.after)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.preview.map((row) => (
            <Row key={row.id} {...row} change={of.change} currency={currency} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </div>
)

const counted = (count: number) => ({ count, shown: number(count) })

const exceptions = ["belowZero", "tooLarge", "unchanged"] as const

/** Says how many of all prices stay as they are, and why. */
const exceptionsIn = (counts: PricePreview["counts"]): string[] =>
  exceptions
    .filter((name) => counts[name] > 0)
    .map((name) =>
      t(($) => $.bulk.exception[name], { ...counted(counts[name]), total: number(counts.matched) }),
    )

/** Says how many items there are, and how many of their prices stay as they are. */
const Counts = ({ of }: { of: PricePreview["counts"] }) => (
  <div role="status">
    {exceptionsIn(of).map((sentence) => (
      <Text key={sentence} size="sm" mb={4} fw={600}>
        {sentence}
      </Text>
    ))}
    <Text size="sm" mb={4}>
      {t(($) => $.bulk.matched, counted(of.matched))}
    </Text>
  </div>
)

type RowProps = PricePreview["preview"][number] & { change: Change; currency: string }

/** The code and the name share a column, so that the table fits on a phone. */
const Row = ({ itemCode, itemName, ...prices }: RowProps) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: "anywhere" }}>
      {itemCode}
      <Text size="xs" c="dimmed">
        {itemName}
      </Text>
    </Table.Td>
    <Table.Td ta="right">{price(prices.before, prices.currency)}</Table.Td>
    <Table.Td ta="right">
      <After {...prices} />
    </Table.Td>
  </Table.Tr>
)

type AfterProps = Pick<RowProps, "before" | "after" | "change" | "currency">

/** The new price, with a word if it is not what the user expects. */
function After({ before, after, change, currency }: AfterProps) {
  if (after === null)
    return (
      <Text inherit fw={600}>
        {t(($) => $.bulk.impossible)}
      </Text>
    )
  const mark = markOf(before, after, change)
  if (mark === "unchanged")
    return (
      <Text inherit c="dimmed">
        {t(($) => $.bulk.mark.unchanged)}
      </Text>
    )
  return (
    <>
      <Text inherit fw={600}>
        {price(after, currency)}
      </Text>
      {mark && (
        <Text size="xs" c="var(--mantine-color-error)">
          {t(($) => $.bulk.mark[mark])}
        </Text>
      )}
    </>
  )
}
