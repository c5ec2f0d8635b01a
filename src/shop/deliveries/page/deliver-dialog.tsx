import { SimpleGrid, Text, TextInput } from "@mantine/core"
import { useLocation } from "wouter"
import { useMe } from "../../../console/api/hooks"
import type { Kinds, OrderLine, SalesOrder } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { number } from "../../../console/format"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { priceDigits, roundedTo } from "../../../shared/decimal"
import { unitOf } from "../../../trade/page/in-words"
import { inputOf, LinesToTake, takenOf, type Taking } from "../../../trade/page/lines/lines-to-take"
import { useLineItems } from "../../../trade/page/lines/use-line-items"
import { useAlsoSend } from "../../../trade/page/mail/also-send"
import { CreateDialog } from "../../../trade/page/mail/create-dialog"
import { t as mailTexts } from "../../../trade/page/mail/texts"
import { t } from "./texts"

type Delivery = Kinds["deliveries"]
type Props = { order: SalesOrder; onClose: () => void }
type Find = ReturnType<typeof useLineItems>["find"]

type Values = Taking & { deliveryDate: string; carrier: string; trackingNumber: string }

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
  const { form } = state
  return (
    <CreateDialog
      title={t(($) => $.deliverOrder, { number: order.orderNumber })}
      state={state}
      submit={t(($) => $.create)}
      andSend={mailTexts(($) => $.createAndSend)}
      source={order}
      isBilling={false}
      onClose={onClose}
      size="xl"
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
      <LinesToTake
        lines={order.items}
        form={form}
        shown={["ordered", "invoiced", "delivered"]}
        title={t(($) => $.now)}
        labelOf={(item) => t(($) => $.quantityNow, { item })}
        below={(line) => <InStock line={line} find={find} />}
      />
    </CreateDialog>
  )
}

/** What is on hand. The order has reserved stock for itself, so what is reserved does not count. */
function InStock({ line, find }: { line: OrderLine; find: Find }) {
  const item = find(line.item ?? "")
  if (!item || item.itemType === "Service") return null
  const { currentStock, uom } = item
  return (
    <Text size="xs" c="dimmed">
      {t(($) => $.inStock, { quantity: number(currentStock), uom: unitOf(uom, currentStock) })}
    </Text>
  )
}

/** `open` contains the lines of which something is left. Goods are proposed; services need no delivery. */
function useDelivery({ order, onClose, find, open }: Props & { find: Find; open: OrderLine[] }) {
  const { today } = useMe().company
  const [, go] = useLocation()
  const sending = useAlsoSend()
  const isGoods = ({ item }: OrderLine) => item !== null && find(item)?.itemType !== "Service"
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
      items: takenOf(open, values),
      ...sending.part(),
    }),
    check: (values) => (takenOf(open, values).length === 0 ? t(($) => $.noQuantity) : null),
    fieldOf: (field, values) => inputOf(field, takenOf(open, values)),
    onCreated: ({ id, deliveryNumber }) => {
      tellDone(t(($) => $.wasCreated, { number: deliveryNumber }))
      onClose()
      go(`/deliveries/${id}`)
    },
  })
  return sending.of(state)
}
