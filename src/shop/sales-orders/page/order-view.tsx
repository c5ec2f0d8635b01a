import { Grid, Paper, Stack, Text, Textarea } from "@mantine/core"
import { useMay } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { addressLines } from "../../../trade/page/address"
import { DayInput } from "../../../console/forms/day-input"
import { DocumentLines } from "../../../trade/page/document-lines"
import { Facts } from "../../../trade/page/facts"
import { TotalsBox } from "../../../trade/page/totals-box"
import { RecordForm } from "../../../console/forms/record-form"
import { useHeld } from "../../../console/forms/unsaved"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { moment } from "../../../console/format"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

/** The view of an order that is no longer a draft. Its lines are read-only. */
export function OrderView({ order }: { order: SalesOrder }) {
  const may = useMay()
  const status = useHeld(order.status)
  const isEdited = may("sales-orders", "write") && (status === "submitted" || status === "completed")
  return (
    <Stack>
      <Paper withBorder p="md">
        <Facts facts={factsOf(order)} />
      </Paper>
      <DocumentLines
        lines={order.items}
        currency={order.currency}
        pricesIncludeTax={order.pricesIncludeTax}
      />
      <Grid>
        <Grid.Col span={{ base: 12, sm: 7 }}>
          {isEdited ? (
            <OpenFields order={order} hasDelivery={status === "submitted"} />
          ) : (
            <Notes text={order.notes} />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 5 }}>
          <TotalsBox
            {...order}
            more={
              order.invoicedTotal > 0
                ? [{ label: t(($) => $.orders.invoiced), amount: order.invoicedTotal }]
                : []
            }
          />
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

function factsOf(order: SalesOrder) {
  const { paymentTerms, buyerReference, submittedAt, completedAt, cancelledAt, cancelReason } = order
  const shipping = addressLines(order.shippingAddress)
  return [
    { label: t(($) => $.fields.paymentTerms), value: paymentTerms ?? "–" },
    ...(buyerReference ? [{ label: t(($) => $.fields.buyerReference), value: buyerReference }] : []),
    ...(shipping.length > 0
      ? [{ label: t(($) => $.fields.shippingAddress), value: shipping.join("\n") }]
      : []),
    ...(submittedAt ? [{ label: t(($) => $.values.status.submitted), value: moment(submittedAt) }] : []),
    ...(completedAt ? [{ label: t(($) => $.values.status.completed), value: moment(completedAt) }] : []),
    ...(cancelledAt ? [{ label: t(($) => $.values.status.cancelled), value: moment(cancelledAt) }] : []),
    ...(cancelReason ? [{ label: t(($) => $.fields.reason), value: cancelReason }] : []),
  ]
}

const Notes = ({ text }: { text: string | null }) => (
  <Paper withBorder p="md">
    <Text size="xs" c="dimmed">
      {t(($) => $.fields.notes)}
    </Text>
    <Text size="sm" style={{ whiteSpace: "pre-line" }}>
      {text ?? "–"}
    </Text>
  </Paper>
)

/** The fields that can still be updated: the notes, and the delivery date until the order is completed. */
function OpenFields({ order, hasDelivery }: { order: SalesOrder; hasDelivery: boolean }) {
  const state = useRecordForm({
    kind: "sales-orders",
    record: order,
    valuesOf: (from) => ({
      ...(hasDelivery ? { deliveryDate: from?.deliveryDate ?? null } : {}),
      notes: from?.notes ?? "",
    }),
    onSaved: ({ orderNumber }) => tellDone(t(($) => $.common.saved, { name: orderNumber })),
  })
  const { form } = state
  return (
    <Paper withBorder p="md">
      <RecordForm state={state} isMain={form.isDirty()}>
        {hasDelivery && (
          <DayInput
            label={t(($) => $.fields.deliveryDate)}
            clearable
            minDate={order.orderDate}
            {...form.getInputProps("deliveryDate")}
          />
        )}
        <Textarea
          label={t(($) => $.fields.notes)}
          autosize
          minRows={3}
          maxRows={16}
          {...form.getInputProps("notes")}
        />
      </RecordForm>
    </Paper>
  )
}
