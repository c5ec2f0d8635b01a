import { inUnits } from "../../../trade/page/in-words"
import { ActionIcon, Button, Group, SimpleGrid, Stack, Switch, Table, Text, Textarea } from "@mantine/core"
import { useDebouncedValue, useDisclosure } from "@mantine/hooks"
import { IconHash, IconReceiptRefund } from "../../../console/parts/icons"
import { correctionRoles } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import type { CreditNote, Invoice, InvoiceLine } from "../../../console/api/types"
import { t as invoiceTexts } from "../../invoices/page/texts"
import { t } from "./texts"
import type { UseFormReturnType } from "@mantine/form"
import { DayInput } from "../../../console/forms/day-input"
import { useCreateForm } from "../../../console/forms/use-create-form"
import type { MoreAction } from "../../../console/parts/more-menu"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { currencySymbol, digitsOf, money } from "../../../console/format"
import { type Body, newBody } from "../../../console/forms/body"
import { NumberField } from "../../../console/forms/number-field"
import { priceDigits, roundedTo } from "../../../shared/decimal"
import { chargedBy } from "../../../shared/money"
import { LineName, nameOf } from "../../../trade/page/lines/lines-to-take"
import { useAlsoSend } from "../../../trade/page/mail/also-send"
import { CreateDialog } from "../../../trade/page/mail/create-dialog"
import { t as mailTexts } from "../../../trade/page/mail/texts"
import type { Typed } from "../../../console/forms/number"

/** True if the user may credit invoices, and this one is issued. */
function useMayCredit({ status }: Invoice): boolean {
  const { role } = useMe()
  const isIssued = status !== "draft" && status !== "cancelled"
  return useMay()("invoices", "write") && isIssued && correctionRoles.includes(role)
}

/** Why an issued invoice cannot be credited any more. */
function whyNotCredited({ total, creditedTotal, writtenOff }: Invoice): string | null {
  if (writtenOff > 0) return invoiceTexts(($) => $.hasWriteOffs)
  return creditedTotal >= total ? t(($) => $.allCredited) : null
}

/** Says in the menu why there is no button that credits an invoice. There is nothing to credit of an invoice over 0. */
export function useBlockedCredit(invoice: Invoice): MoreAction | false {
  const mayCredit = useMayCredit(invoice)
  const blockedBy = whyNotCredited(invoice)
  const isTold = mayCredit && !invoice.isOpening && invoice.total > 0 && blockedBy !== null
  return isTold && { label: t(($) => $.credit), onClick: () => undefined, blockedBy }
}

/** The button that credits an issued invoice, as long as something of it is left and nothing is written off. */
export function CreditAction({ invoice }: { invoice: Invoice }) {
  const mayCredit = useMayCredit(invoice)
  const [isCrediting, { open, close }] = useDisclosure()
  return (
    <>
      {mayCredit && whyNotCredited(invoice) === null && (
        <Button variant="default" leftSection={<IconReceiptRefund size={16} />} onClick={open}>
          {t(($) => $.credit)}
        </Button>
      )}
      {isCrediting && <CreditDialog invoice={invoice} onClose={close} />}
    </>
  )
}

type Props = { invoice: Invoice; onClose: () => void }
type Form = UseFormReturnType<CreditValues>

/** Credits an issued invoice: all that is left of it, or quantities and amounts of its lines. */
function CreditDialog({ invoice, onClose }: Props) {
  const state = useCredit({ invoice, onClose })
  const { form } = state
  return (
    <CreateDialog
      title={t(($) => $.creditInvoice, { number: invoice.invoiceNumber ?? "" })}
      state={state}
      submit={t(($) => $.issue)}
      andSend={mailTexts(($) => $.issueAndSend)}
      source={invoice}
      onClose={onClose}
      size="xl"
    >
      <Textarea
        label={common(($) => $.fields.reason)}
        description={t(($) => $.reasonHint)}
        required
        maxLength={500}
        autosize
        minRows={1}
        maxRows={6}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <HeadFields form={form} hasGoods={invoice.items.some(({ item }) => item !== null)} />
      <Shortcuts form={form} invoice={invoice} />
      <CreditLines invoice={invoice} form={form} />
      <CreditTotal
        invoice={invoice}
        body={chosenOf(form.values).length > 0 ? bodyOf(invoice, form.values) : null}
      />
    </CreateDialog>
  )
}

const HeadFields = ({ form, hasGoods }: { form: Form; hasGoods: boolean }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <DayInput
      label={common(($) => $.fields.creditNoteDate)}
      required
      isPast
      {...form.getInputProps("creditNoteDate")}
    />
    {hasGoods && (
      <Switch
        style={{ alignSelf: "end" }}
        label={t(($) => $.restock)}
        description={t(($) => $.restockHint)}
        {...form.getInputProps("restock", { type: "checkbox" })}
      />
    )}
  </SimpleGrid>
)

/** Sets all lines at once, and says what the amounts include. */
const Shortcuts = ({ form, invoice }: { form: Form; invoice: Invoice }) => (
  <Group gap="xs">
    <Button
      variant="default"
      size="xs"
      onClick={() => form.setFieldValue("credits", allOf(openLines(invoice), invoice.currency))}
    >
      {t(($) => $.all)}
    </Button>
    <Button
      variant="default"
      size="xs"
      onClick={() => form.setFieldValue("credits", noneOf(form.values.credits))}
    >
      {t(($) => $.none)}
    </Button>
    <Text size="sm" c="dimmed">
      {t(($) => (invoice.pricesIncludeTax ? $.amountsIncludeTax : $.amountsAreNet))}
    </Text>
  </Group>
)

function useCredit({ invoice, onClose }: Props) {
  const { today } = useMe().company
  const { id, invoiceDate, currency } = invoice
  const sending = useAlsoSend()
  const state = useCreateForm<CreditNote, CreditValues>({
    path: `/invoices/${id}/credit-notes`,
    initialValues: {
      reason: "",
      creditNoteDate: invoiceDate > today ? invoiceDate : today,
      restock: false,
      // Nothing is proposed, because most corrections are of one line, and the others are easily missed.
      credits: noneOf(allOf(openLines(invoice), currency)),
    },
    bodyOf: (values) => ({ ...bodyOf(invoice, values), ...sending.part() }),
    check: (values) => (chosenOf(values).length === 0 ? t(($) => $.noneChosen) : null),
    fieldOf,
    onCreated: ({ creditNoteNumber }) => {
      tellDone(t(($) => $.wasIssued, { number: creditNoteNumber }))
      onClose()
    },
  })
  return sending.of(state)
}

type CreditTotalProps = {
  invoice: Invoice
  /** The body of the request; null if nothing is credited. */
  body: Body | null
}

/**
 * The total of a credit note before it is issued, and what it does to the balance. The server calculates it in a dry
 * run, because the credit notes of an invoice add up to the invoice to the cent.
 */
function CreditTotal({ invoice, body }: CreditTotalProps) {
  // The reason does not change the total, so typing it sends no requests.
  const [wanted] = useDebouncedValue(body && JSON.stringify(newBody({ ...body, reason: "–" })), 250)
  const { data, isError } = useQuery({
    queryKey: ["credit-notes", "total", invoice.id, wanted],
    queryFn: async () => {
      const path = `/invoices/${invoice.id}/credit-notes?dryRun=true`
      return (await call<CreditNote>("POST", path, { body: JSON.parse(wanted ?? "{}") as Body })).data
    },
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const note = isError || wanted === null ? undefined : data
  return (
    <Stack gap={2} align="end" aria-live="polite">
      <Group gap="md">
        <Text fw={600}>{common(($) => $.fields.total)}</Text>
        <Text fw={600} className="figures">
          {note ? money(note.total, note.currency) : "–"}
        </Text>
      </Group>
      {note && (
        <Text size="sm" c="dimmed" ta="right">
          {outcomeOf(note)}
        </Text>
      )}
    </Stack>
  )
}

/** What a credit note does to the balance of its invoice, and what is left of it then. */
function outcomeOf({ appliedToInvoice, unapplied, currency }: CreditNote): string {
  const taken = money(appliedToInvoice, currency)
  const kept = money(unapplied, currency)
  if (unapplied === 0) return t(($) => $.outcome.taken, { taken })
  if (appliedToInvoice === 0) return t(($) => $.outcome.kept, { kept })
  return t(($) => $.outcome.both, { taken, kept })
}

type CreditLinesProps = { invoice: Invoice; form: UseFormReturnType<CreditValues> }

/** The lines of an invoice: what is left of each, and what to credit of it. */
const CreditLines = ({ invoice, form }: CreditLinesProps) => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{common(($) => $.fields.item)}</Table.Th>
        <Table.Th className="right" visibleFrom="xs">
          {t(($) => $.left)}
        </Table.Th>
        <Table.Th w={170}>{t(($) => $.creditNow)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {invoice.items.map((line) => (
        <Line key={line.id} line={line} currency={invoice.currency} form={form} />
      ))}
    </Table.Tbody>
  </Table>
)

type LineProps = { line: InvoiceLine; currency: string; form: CreditLinesProps["form"] }

function Line({ line, currency, form }: LineProps) {
  const left = leftOf(line, currency)
  const quantity = inUnits(left.quantity, line.uom)
  const amount = money(left.amount, currency)
  const credit = form.values.credits[line.id]
  return (
    <Table.Tr>
      <Table.Td>
        <LineName line={line} />
        {credit && (
          <Text size="xs" hiddenFrom="xs" className="figures">
            {t(($) => $.leftOf, { quantity, amount })}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="right" visibleFrom="xs">
        {quantity}
        <Text size="xs" c="dimmed">
          {amount}
        </Text>
      </Table.Td>
      <Table.Td>
        {credit ? (
          <CreditInput line={line} currency={currency} form={form} credit={credit} />
        ) : (
          <Text size="sm" c="dimmed">
            {t(($) => $.nothingLeft)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** The quantity or the amount of a line, with a button that switches between the two. */
function CreditInput({ line, currency, form, credit: { isAmount } }: LineProps & { credit: LineCredit }) {
  const at = `credits.${line.id}`
  const item = nameOf(line)
  return (
    <NumberField
      key={String(isAmount)}
      aria-label={t(($) => (isAmount ? $.amountOf : $.quantityOf), { item })}
      digits={isAmount ? digitsOf(currency) : undefined}
      {...form.getInputProps(`${at}.${isAmount ? "amount" : "quantity"}`)}
      rightSection={
        <ActionIcon
          variant="default"
          size={26}
          aria-label={t(($) => (isAmount ? $.asQuantity : $.asAmount), { item })}
          onClick={() => form.setFieldValue(`${at}.isAmount`, !isAmount)}
        >
          {isAmount ? <Text size="sm">{currencySymbol(currency)}</Text> : <IconHash size={14} />}
        </ActionIcon>
      }
    />
  )
}

/** What is entered for a line: a quantity or an amount. The other one is kept for a switch back. */
type LineCredit = { isAmount: boolean; quantity: Typed; amount: Typed }

/** `credits` contains what is entered, by the id of the line. */
type CreditValues = {
  reason: string
  creditNoteDate: string
  restock: boolean
  credits: Record<string, LineCredit>
}

/** What is left of a line. The amount includes tax if the prices of the invoice do. */
type Left = { quantity: number; amount: number }

const leftOf = (line: InvoiceLine, currency: string): Left => ({
  quantity: roundedTo(line.quantity - line.creditedQuantity, priceDigits),
  amount: roundedTo(chargedBy(line) - line.creditedAmount, digitsOf(currency)),
})

/** Returns the lines that are not credited completely. */
const openLines = ({ items, currency }: Invoice): InvoiceLine[] =>
  items.filter((line) => leftOf(line, currency).quantity > 0)

/** Returns a credit of all that is left of some lines. */
const allOf = (lines: InvoiceLine[], currency: string): CreditValues["credits"] =>
  Object.fromEntries(lines.map((line) => [line.id, { isAmount: false, ...leftOf(line, currency) }]))

/** Returns a credit of nothing, which keeps whether a quantity or an amount is entered. */
const noneOf = (credits: CreditValues["credits"]): CreditValues["credits"] =>
  Object.fromEntries(
    Object.entries(credits).map(([id, credit]) => [id, { ...credit, quantity: 0, amount: 0 }]),
  )

/** The items of the request. Text that is not a number is sent too, and the server rejects it. */
const chosenOf = ({ credits }: CreditValues) =>
  Object.entries(credits)
    .map(([invoiceLine, { isAmount, quantity, amount }]) =>
      isAmount ? { invoiceLine, amount: amount || 0 } : { invoiceLine, quantity: quantity || 0 },
    )
    .filter((item) => ("amount" in item ? item.amount : item.quantity) !== 0)

/** True if the credit is all that is left of the invoice. */
const isEverything = (lines: InvoiceLine[], { credits }: CreditValues, currency: string): boolean =>
  lines.every((line) => {
    const credit = credits[line.id]
    return credit && !credit.isAmount && credit.quantity === leftOf(line, currency).quantity
  })

const bodyOf = (invoice: Invoice, values: CreditValues) => ({
  reason: values.reason || null,
  creditNoteDate: values.creditNoteDate || null,
  restock: values.restock,
  items: isEverything(openLines(invoice), values, invoice.currency) ? null : chosenOf(values),
})

/** Maps a field of the request to the input of its line: items[0].quantity → credits.inl_1.quantity */
function fieldOf(field: string, values: CreditValues): string {
  const [, index] = /^items\[(\d+)\]\.\w+$/.exec(field) ?? []
  const item = index === undefined ? undefined : chosenOf(values)[Number(index)]
  return item ? `credits.${item.invoiceLine}.${"amount" in item ? "amount" : "quantity"}` : field
}
