import { Button } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useLocation } from "wouter"
import { ApiError, messageOf } from "../../api/client"
import { useMe, useRecord } from "../../api/hooks"
import type { Customer, SalesOrder } from "../../api/types"
import { DayInput } from "../../documents/day-input"
import { DocumentFields } from "../../documents/document-fields"
import { blankLine, lineOf, linesBody } from "../../documents/line-values"
import { describeDocument } from "../../documents/describe"
import { RecordForm } from "../../forms/record-form"
import { emptyAsNull, placeFaults, useRecordForm } from "../../forms/use-record-form"
import { tellWarnings } from "../../parts/tell"
import { submitOrder } from "./submit-order"

type Props = {
  /** The draft; null for a new one. */
  order: SalesOrder | null
  /** Who a new order is for, where that is known. */
  customer?: Customer
}

/** Writes a draft, and submits it. */
export function OrderEditor({ order, customer }: Props) {
  const me = useMe()
  const client = useQueryClient()
  const [, go] = useLocation()
  const wantsSubmit = useRef(false)
  const [isSubmitting, setSubmitting] = useState(false)
  const [submitFault, setSubmitFault] = useState<string | null>(null)

  const state = useRecordForm({
    kind: "sales-orders",
    record: order,
    valuesOf: (from) => valuesOf(from, customer, me.company.today),
    bodyOf: (values) => ({ ...emptyAsNull(values), items: linesBody(values.items) }),
    companions: { customer: "paymentTerms" },
    onSaved: (saved) => void (wantsSubmit.current ? submit(saved) : finish(saved, "saved as a draft")),
  })
  const { form } = state
  const { data: typed } = useRecord("customers", form.values.customer)

  const finish = (saved: SalesOrder, done: string) => {
    notifications.show({ message: `${saved.orderNumber} was ${done}.`, color: "teal" })
    if (!order) go(`/orders/${saved.id}`, { replace: true })
  }

  const submit = async (saved: SalesOrder) => {
    setSubmitting(true)
    try {
      const answer = await submitOrder(saved, me.role)
      if (!answer) return finish(saved, "saved as a draft")
      client.setQueryData(["sales-orders", saved.id], answer.data)
      tellWarnings(answer.warnings)
      finish(answer.data, "submitted")
    } catch (error) {
      if (!order) {
        // It is saved, and its own page is where to go on.
        notifications.show({ message: messageOf(error), color: "red", autoClose: false })
        go(`/orders/${saved.id}`, { replace: true })
      } else setSubmitFault(error instanceof ApiError ? placeFaults(form, error) : messageOf(error))
    } finally {
      setSubmitting(false)
      await client.invalidateQueries()
    }
  }

  const save = (andSubmit: boolean) => {
    wantsSubmit.current = andSubmit
    setSubmitFault(null)
    return state.save()
  }

  const maySubmit = !order || order.allowedTransitions.includes("submitted")
  return (
    <RecordForm
      state={{
        ...state,
        fault: state.fault ?? submitFault,
        isSaving: state.isSaving && !wantsSubmit.current,
        save: () => save(false),
      }}
      submit="Save draft"
      describe={describeDocument(order, state.conflict?.theirs ?? null, {
        ...form.values,
        customerName: typed?.name ?? "",
      })}
      actions={
        maySubmit && (
          <Button
            variant="light"
            loading={isSubmitting || (state.isSaving && wantsSubmit.current)}
            onClick={() => save(true)}
          >
            Save and submit
          </Button>
        )
      }
    >
      <DocumentFields
        form={form}
        customerName={order?.customerName ?? customer?.name ?? ""}
        isNew={!order}
        dates={
          <>
            <DayInput label="Order date" required {...form.getInputProps("orderDate")} />
            <DayInput
              label="Delivery date"
              clearable
              minDate={form.values.orderDate}
              {...form.getInputProps("deliveryDate")}
            />
          </>
        }
      />
    </RecordForm>
  )
}

const valuesOf = (order: SalesOrder | null, customer: Customer | undefined, today: string) => ({
  customer: order?.customer ?? customer?.id ?? "",
  orderDate: order?.orderDate ?? today,
  deliveryDate: order?.deliveryDate ?? null,
  paymentTerms: (order ? order.paymentTerms : customer?.paymentTerms) ?? "",
  notes: order?.notes ?? "",
  items: order ? order.items.map(lineOf) : [blankLine()],
})
