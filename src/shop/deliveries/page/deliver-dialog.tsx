import { SimpleGrid, Table, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useLocation } from "wouter"
import { useMe } from "../../../console/api/hooks"
import type { Kinds, OrderLine, SalesOrder } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { NumberField } from "../../../console/forms/number-field"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { number } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { priceDigits, roundedTo } from "../../../shared/decimal"
import { inUnits, unitOf } from "../../../trade/page/in-words"
import { useLineItems } from "../../../trade/page/lines/use-line-items"
import { AlsoSend, useAlsoSend } from "../../../trade/page/mail/also-send"
import { useRecipient } from "../../../trade/page/mail/recipient"
import { SendsTo } from "../../../trade/page/mail/sends-to"
import { t as mailTexts } from "../../../trade/page/mail/texts"
import { t } from "./texts"

type Delivery = Kinds["deliveries"]
type Props = { order: SalesOrder; onClose: () => void }
type Find = ReturnType<typeof useLineItems>["find"]

/** `now` contains the entered quantities, by the id of the line. */
type Values = {
  deliveryDate: string
  carrier: string
  trackingNumber: string
  now: Record<string, number | string>
}

const createAndSend = mailTexts(($) => $.createAndSend)

/** Returns the quantity of a line that is left to deliver. Of a completed order, what was invoiced is delivered. */
export const leftToDeliver = (
  { status }: Pick<SalesOrder, "status">,
  { quantity, invoicedQuantity, deliveredQuantity }: OrderLine,
): number =>
  Math.max(
    0,
    roundedTo((status === "completed" ? invoicedQuantity : quantity) - deliveredQuantity, priceDigits),
  )

/** Delivers an order, completely or partially. It opens when it is known which lines have goods, which it proposes. */
export function DeliverDialog(props: Props) {
  const { find, isLoading } = useLineItems(props.order.items.flatMap(({ item }) => item ?? []))
  return isLoading ? null : <Dialog {...props} find={find} />
}

function Dialog({ order, onClose, find }: Props & { find: Find }) {
  const open = order.items.filter((line) => leftToDeliver(order, line) > 0)
  const state = useDelivery({ order, onClose, find, open })
  const { data: recipient } = useRecipient(order.customer, false)
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.deliverOrder, { number: order.orderNumber })}
      state={state}
      submit={t(($) => $.create)}
      onClose={onClose}
      size="xl"
      actions={
        <AlsoSend
          recipient={recipient}
          label={createAndSend}
          isBusy={state.isSaving}
          onClick={state.saveAndSend}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <DayInput
          label={common(($) => $.fields.deliveryDate)}
          required
          {...form.getInputProps("deliveryDate")}
        />
        <TextInput
          label={fieldName("carrier", { of: "deliveries" })}
          maxLength={100}
          {...form.getInputProps("carrier")}
        />
        <TextInput
          label={fieldName("trackingNumber", { of: "deliveries" })}
          maxLength={100}
          {...form.getInputProps("trackingNumber")}
        />
      </SimpleGrid>
      <Table>
        <Titles />
        <Table.Tbody>
          {order.items.map((line) => (
            <LineToDeliver key={line.id} line={line} form={form} isFirst={line === open[0]} find={find} />
          ))}
        </Table.Tbody>
      </Table>
      {recipient && <SendsTo recipient={recipient} action={createAndSend} customer={order.customerName} />}
    </FormDialog>
  )
}

const Titles = () => (
  <Table.Thead>
    <Table.Tr>
      <Table.Th>{common(($) => $.fields.item)}</Table.Th>
      <Table.Th className="right" visibleFrom="xs">
        {t(($) => $.ordered)}
      </Table.Th>
      <Table.Th className="right" visibleFrom="xs">
        {t(($) => $.invoiced)}
      </Table.Th>
      <Table.Th className="right" visibleFrom="xs">
        {t(($) => $.delivered)}
      </Table.Th>
      <Table.Th w={150}>{t(($) => $.now)}</Table.Th>
    </Table.Tr>
  </Table.Thead>
)

type LineProps = { line: OrderLine; form: UseFormReturnType<Values>; isFirst: boolean; find: Find }

const LineToDeliver = ({ line, form, isFirst, find }: LineProps) => (
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
      <Text size="xs" hiddenFrom="xs">
        {t(($) => $.orderedQuantity, {
          quantity: number(line.quantity),
          uom: unitOf(line.uom, line.quantity),
        })}
      </Text>
      <Text size="xs" hiddenFrom="xs">
        {t(($) => $.deliveredQuantity, { quantity: number(line.deliveredQuantity) })}
      </Text>
      <InStock line={line} find={find} />
    </Table.Td>
    <Table.Td className="right" visibleFrom="xs">
      {inUnits(line.quantity, line.uom)}
    </Table.Td>
    <Table.Td className="right" visibleFrom="xs">
      {number(line.invoicedQuantity)}
    </Table.Td>
    <Table.Td className="right" visibleFrom="xs">
      {number(line.deliveredQuantity)}
    </Table.Td>
    <Table.Td>
      {line.id in form.values.now ? (
        <NumberField
          data-autofocus={isFirst || undefined}
          aria-label={t(($) => $.quantityNow, { item: nameOf(line) })}
          {...form.getInputProps(`now.${line.id}`)}
        />
      ) : (
        "–"
      )}
    </Table.Td>
  </Table.Tr>
)

/** What is on hand. The order has reserved stock for itself, so what is reserved does not count. */
function InStock({ line, find }: Pick<LineProps, "line" | "find">) {
  const item = find(line.item ?? "")
  if (!item || item.itemType === "Service") return null
  const { currentStock, uom } = item
  return (
    <Text size="xs" c="dimmed">
      {t(($) => $.inStock, { quantity: number(currentStock), uom: unitOf(uom, currentStock) })}
    </Text>
  )
}

const nameOf = ({ itemName, description }: OrderLine): string => itemName ?? description ?? ""

/** `open` contains the lines of which something is left. Goods are proposed; services need no delivery. */
function useDelivery({ order, onClose, find, open }: Props & { find: Find; open: OrderLine[] }) {
  const { today } = useMe().company
  const [, go] = useLocation()
  const sending = useAlsoSend()
  const isGoods = ({ item }: OrderLine) => item !== null && find(item)?.itemType !== "Service"
  const chosenOf = ({ now }: Values) =>
    open.map(({ id }) => ({ orderLine: id, quantity: now[id] || 0 })).filter(({ quantity }) => quantity !== 0)
  const state = useCreateForm<Delivery, Values>({
    path: "/deliveries/from-order",
    initialValues: {
      deliveryDate: today,
      carrier: "",
      trackingNumber: "",
      now: Object.fromEntries(open.map((line) => [line.id, isGoods(line) ? leftToDeliver(order, line) : ""])),
    },
    bodyOf: (values) => ({
      salesOrder: order.id,
      deliveryDate: values.deliveryDate || null,
      carrier: values.carrier || null,
      trackingNumber: values.trackingNumber || null,
      items: chosenOf(values),
      ...sending.part(),
    }),
    check: (values) => (chosenOf(values).length === 0 ? t(($) => $.noQuantity) : null),
    fieldOf: (field, values) => {
      const [, index, part] = /^items\[(\d+)\]\.(\w+)$/.exec(field) ?? []
      const line = chosenOf(values)[Number(index)]?.orderLine
      return line && part === "quantity" ? `now.${line}` : field
    },
    onCreated: ({ id, deliveryNumber }) => {
      tellDone(t(($) => $.wasCreated, { number: deliveryNumber }))
      onClose()
      go(`/deliveries/${id}`)
    },
  })
  return sending.of(state)
}
