import { Button } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useLocation, useSearchParams } from "wouter"
import { ApiError, call, messageOf } from "../../api/client"
import { useMe, useRecord } from "../../api/hooks"
import type { Customer, Invoice } from "../../api/types"
import { withinCredit } from "../../documents/credit"
import { DayInput } from "../../documents/day-input"
import { describeDocument } from "../../documents/describe"
import { DocumentFields } from "../../documents/document-fields"
import { blankLine, lineOf, linesBody } from "../../documents/line-values"
import { RecordForm } from "../../forms/record-form"
import { emptyAsNull, placeFaults, useRecordForm } from "../../forms/use-record-form"
import { tellWarnings } from "../../parts/tell"
import { confirm } from "../../parts/confirm"
import { Page } from "../../parts/page"

/** An invoice without an order. */
export default function NewInvoice() {
  const [params] = useSearchParams()
  const wanted = params.get("customer")
  const customer = useRecord("customers", wanted)
  return (
    <Page title="New invoice" parent={{ title: "Invoices", href: "/invoices" }}>
      {/* A customer who cannot be found is not worth an error: the picker is empty then. */}
      {(!wanted || !customer.isPending) && <InvoiceEditor invoice={null} customer={customer.data} />}
    </Page>
  )
}

/** Goes on with a draft. */
export const DraftInvoiceEditor = ({ invoice }: { invoice: Invoice }) => <InvoiceEditor invoice={invoice} />

type Props = { invoice: Invoice | null; customer?: Customer }

function InvoiceEditor({ invoice, customer }: Props) {
  const me = useMe()
  const { today } = me.company
  const client = useQueryClient()
  const [, go] = useLocation()
  const wantsIssue = useRef(false)
  const [isIssuing, setIssuing] = useState(false)
  const [issueFault, setIssueFault] = useState<string | null>(null)

  const state = useRecordForm({
    kind: "invoices",
    record: invoice,
    valuesOf: (from) => valuesOf(from, customer, today),
    bodyOf: (values) => ({
      ...emptyAsNull(values),
      items: linesBody(values.items),
      // A new one is issued in the same step: where that is refused, there is no draft left over.
      ...(!invoice && wantsIssue.current ? { status: "unpaid" } : {}),
    }),
    companions: { customer: "paymentTerms" },
    onSaved: (saved) => void (invoice && wantsIssue.current ? issue(saved) : finish(saved)),
  })
  const { form } = state
  const { data: typed } = useRecord("customers", form.values.customer)

  const finish = (saved: Invoice) => {
    const message =
      saved.status === "draft" ? "The draft invoice was saved." : `Invoice ${saved.invoiceNumber} was issued.`
    notifications.show({ message, color: "teal" })
    if (!invoice) go(`/invoices/${saved.id}`, { replace: true })
  }

  const issue = async ({ id, version }: Invoice) => {
    setIssuing(true)
    try {
      const words = { document: "invoice", verb: "issue", action: "Issue anyway" } as const
      const answer = await withinCredit(me.role, words, (override) => {
        const body = { status: "unpaid", ...(override ? { override } : {}) }
        return call<Invoice>("PUT", `/invoices/${id}/status`, { body, version })
      })
      if (!answer) return
      const { data, warnings } = answer
      client.setQueryData(["invoices", id], data)
      tellWarnings(warnings)
      finish(data)
    } catch (error) {
      setIssueFault(error instanceof ApiError ? placeFaults(form, error) : messageOf(error))
    } finally {
      setIssuing(false)
      await client.invalidateQueries()
    }
  }

  const save = (andIssue: boolean) => {
    wantsIssue.current = andIssue
    setIssueFault(null)
    return state.save()
  }

  const askAndIssue = async () => {
    const question = {
      title: "Issue this invoice?",
      text: "It gets its number, and its lines can no longer be changed. What is sold leaves the stock.",
      action: "Issue invoice",
      isDangerous: false,
    }
    if (await confirm(question)) await save(true)
  }

  return (
    <RecordForm
      state={{
        ...state,
        fault: state.fault ?? issueFault,
        isSaving: state.isSaving && !wantsIssue.current,
        save: () => save(false),
      }}
      submit="Save draft"
      describe={describeDocument(invoice, state.conflict?.theirs ?? null, {
        ...form.values,
        customerName: typed?.name ?? "",
      })}
      actions={
        <Button
          variant="light"
          loading={isIssuing || (state.isSaving && wantsIssue.current)}
          onClick={askAndIssue}
        >
          Issue invoice
        </Button>
      }
    >
      <DocumentFields
        form={form}
        customerName={invoice?.customerName ?? customer?.name ?? ""}
        isNew={!invoice}
        dates={<DayInput label="Invoice date" required {...form.getInputProps("invoiceDate")} />}
      />
    </RecordForm>
  )
}

const valuesOf = (invoice: Invoice | null, customer: Customer | undefined, today: string) => ({
  customer: invoice?.customer ?? customer?.id ?? "",
  paymentTerms: (invoice ? invoice.paymentTerms : customer?.paymentTerms) ?? "",
  invoiceDate: invoice?.invoiceDate ?? today,
  notes: invoice?.notes ?? "",
  items: invoice ? invoice.items.map(lineOf) : [blankLine()],
})
