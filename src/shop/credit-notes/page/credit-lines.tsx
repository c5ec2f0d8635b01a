import { ActionIcon, Table, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { IconHash } from "../../../console/parts/icons"
import type { Invoice, InvoiceLine } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import { currencySymbol, digitsOf, money, number } from "../../../console/format"
import { t } from "../../../console/texts"
import { leftOf, type CreditValues, type LineCredit } from "./credit-values"

type Props = { invoice: Invoice; form: UseFormReturnType<CreditValues> }

/** The lines of an invoice: what is left of each, and what to credit of it. */
export const CreditLines = ({ invoice, form }: Props) => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.fields.item)}</Table.Th>
        <Table.Th className="right" visibleFrom="xs">
          {t(($) => $.creditNotes.left)}
        </Table.Th>
        <Table.Th w={170}>{t(($) => $.creditNotes.creditNow)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {invoice.items.map((line) => (
        <Line key={line.id} line={line} currency={invoice.currency} form={form} />
      ))}
    </Table.Tbody>
  </Table>
)

type LineProps = { line: InvoiceLine; currency: string; form: Props["form"] }

function Line({ line, currency, form }: LineProps) {
  const left = leftOf(line, currency)
  const quantity = `${number(left.quantity)} ${line.uom}`
  const amount = money(left.amount, currency)
  const credit = form.values.credits[line.id]
  return (
    <Table.Tr>
      <Table.Td>
        <Text inherit style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {nameOf(line)}
        </Text>
        {line.itemCode && (
          <Text size="xs" c="dimmed">
            {line.itemCode}
          </Text>
        )}
        {credit && (
          <Text size="xs" hiddenFrom="xs" className="figures">
            {t(($) => $.creditNotes.leftOf, { quantity, amount })}
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
            {t(($) => $.creditNotes.nothingLeft)}
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
      aria-label={t(($) => (isAmount ? $.creditNotes.amountOf : $.creditNotes.quantityOf), { item })}
      digits={isAmount ? digitsOf(currency) : undefined}
      {...form.getInputProps(`${at}.${isAmount ? "amount" : "quantity"}`)}
      rightSection={
        <ActionIcon
          variant="default"
          size={26}
          aria-label={t(($) => (isAmount ? $.creditNotes.asQuantity : $.creditNotes.asAmount), { item })}
          onClick={() => form.setFieldValue(`${at}.isAmount`, !isAmount)}
        >
          {isAmount ? <Text size="sm">{currencySymbol(currency)}</Text> : <IconHash size={14} />}
        </ActionIcon>
      }
    />
  )
}

const nameOf = ({ itemName, description }: InvoiceLine): string => itemName ?? description ?? ""
