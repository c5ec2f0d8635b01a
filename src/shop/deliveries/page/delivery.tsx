import { Anchor, Paper, SimpleGrid, Stack, Table, Text, Textarea, TextInput, Title } from "@mantine/core"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import { useMay, useMe, useRecord } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { date } from "../../../console/format"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import type { MoreAction } from "../../../console/parts/more-menu"
import { Loaded } from "../../../console/parts/page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { inUnits } from "../../../trade/page/in-words"
import { SendAction } from "../../../trade/page/mail/send-action"
import { sentFact } from "../../../trade/page/mail/sent"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { type HeaderFact, RecordPage } from "../../../trade/page/record-page"
import { t as tradeTexts } from "../../../trade/page/texts"
import { askedFor, useSteps } from "../../../trade/page/use-steps"
import { addressLines, CustomerLink, Entry } from "../../../trade/page/view/parties"
import { t } from "./texts"

type Delivery = Kinds["deliveries"]

/** The page of a delivery: its goods, how they were sent, and its paper. */
export default function DeliveryPage({ id }: { id: string }) {
  const query = useRecord("deliveries", id)
  return <Loaded query={query}>{(delivery) => <Shown delivery={delivery} />}</Loaded>
}

function Shown({ delivery }: { delivery: Delivery }) {
  const { id, deliveryNumber } = delivery
  const { more, isBusy } = useMore(delivery)
  return (
    <RecordPage
      kind="deliveries"
      record={delivery}
      title={deliveryNumber}
      badge={<StatusBadge status={delivery.status} />}
      facts={factsOf(delivery)}
      actions={
        <>
          <PdfButton kind="deliveries" id={id} isDisabled={isBusy} />
          <SendAction kind="deliveries" document={delivery} number={deliveryNumber} isDisabled={isBusy} />
        </>
      }
      more={{ actions: more, isBusy }}
    >
      <Stack>
        <ShipTo delivery={delivery} />
        <Goods delivery={delivery} />
        <Shipping delivery={delivery} />
      </Stack>
    </RecordPage>
  )
}

/** To whom the goods went, with the name that the customer had then. */
const ShipTo = ({ delivery }: { delivery: Delivery }) => {
  const { buyer, shippingAddress, buyerReference, cancelReason } = delivery
  const lines = addressLines(shippingAddress ?? buyer.address)
  return (
    <Paper withBorder p="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <div>
          <Title order={2} size="h5" mb={4}>
            {common(($) => $.fields.shippingAddress)}
          </Title>
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {buyer.name}
          </Text>
          <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            {lines.join("\n")}
          </Text>
        </div>
        <div>
          {buyerReference && <Entry label={common(($) => $.fields.buyerReference)}>{buyerReference}</Entry>}
          {cancelReason && <Entry label={common(($) => $.fields.cancelReason)}>{cancelReason}</Entry>}
        </div>
      </SimpleGrid>
    </Paper>
  )
}

const factsOf = (delivery: Delivery): (HeaderFact | false)[] => [
  { label: common(($) => $.fields.customer), value: <CustomerLink of={delivery} /> },
  { label: common(($) => $.fields.salesOrder), value: <OrderLink of={delivery} /> },
  { label: common(($) => $.fields.deliveryDate), value: date(delivery.deliveryDate), isStrong: true },
  sentFact(delivery),
]

const OrderLink = ({ of: { salesOrder, orderNumber } }: { of: Delivery }) => (
  <Anchor component={Link} href={`/orders/${salesOrder}`} inherit>
    {orderNumber}
  </Anchor>
)

/** Cancelling, for users who may. */
function useMore(delivery: Delivery): { more: (MoreAction | false)[]; isBusy: boolean } {
  const { role } = useMe()
  const may = useMay()("sales-orders", "write") && role !== "shop"
  const { take, isPending } = useSteps<Delivery>()
  const more = may &&
    delivery.allowedTransitions.includes("cancelled") && {
      label: t(($) => $.cancel),
      onClick: () => void take(cancel(delivery)),
    }
  return { more: [more], isBusy: isPending }
}

const cancel = ({ id, version, deliveryNumber: number }: Delivery) =>
  askedFor<Delivery>(
    {
      title: t(($) => $.confirmCancel, { number }),
      text: t(($) => $.confirmCancelText),
      action: t(($) => $.cancel),
      dismiss: t(($) => $.keep),
      reason: common(($) => $.fields.reason),
    },
    ({ reason }) => ({
      run: () =>
        call<Delivery>("PUT", `/deliveries/${id}/status`, {
          body: { status: "cancelled", reason: reason || null },
          version,
        }),
      done: t(($) => $.wasCancelled, { number }),
    }),
  )

/** The lines of a delivery, which have no prices. */
const Goods = ({ delivery: { items } }: { delivery: Delivery }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h4" mb="sm">
      {tradeTexts(($) => $.documents.lines)}
    </Title>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{common(($) => $.fields.item)}</Table.Th>
          <Table.Th className="right">{common(($) => $.fields.quantity)}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map(({ id, item, itemCode, itemName, description, quantity, uom }) => (
          <Table.Tr key={id}>
            <Table.Td style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
              {item === null ? (
                description
              ) : (
                <>
                  <Anchor component={Link} href={`/items/${item}`} inherit>
                    {itemName}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {itemCode}
                  </Text>
                </>
              )}
            </Table.Td>
            <Table.Td className="right">{inUnits(quantity, uom)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Paper>
)

/** How the goods were sent, and the notes: what can change after a delivery. */
function Shipping({ delivery }: { delivery: Delivery }) {
  const isReadOnly = !useMay()("sales-orders", "write") || delivery.status === "cancelled"
  const state = useRecordForm({
    kind: "deliveries",
    record: delivery,
    valuesOf: (from) => ({
      carrier: from?.carrier ?? "",
      trackingNumber: from?.trackingNumber ?? "",
      notes: from?.notes ?? "",
    }),
    onSaved: ({ deliveryNumber: name }) => tellDone(common(($) => $.common.saved, { name })),
  })
  const { form } = state
  return (
    <Paper withBorder p="md" component="section" aria-label={t(($) => $.shipping)}>
      <RecordForm state={state} isReadOnly={isReadOnly} isMain={form.isDirty()}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
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
        <Textarea
          label={common(($) => $.fields.notes)}
          description={tradeTexts(($) => $.documents.notesHint)}
          autosize
          minRows={2}
          maxRows={12}
          {...form.getInputProps("notes")}
        />
      </RecordForm>
    </Paper>
  )
}
