import { Button } from "@mantine/core"
import { IconPlus } from "../../../console/parts/icons"
import { Link } from "wouter"
import { useMay, useMe, useRecord } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { money } from "../../../console/format"
import { Loaded } from "../../../console/parts/loaded"
import { NewRecord } from "../../../console/parts/new-record"
import { OnlyFor } from "../../../console/parts/only-for"
import { RecordPage, type HeaderFact } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete } from "../../../console/parts/use-delete"
import { useDuplicate } from "../../../console/parts/use-duplicate"
import { t } from "../../../console/texts"
import { Credit } from "./credit"
import { CustomerForm } from "./customer-form"
import { LatestInvoices, LatestOrders } from "./latest-documents"
import { OpenItems } from "./open-items"

const parent = { title: t(($) => $.kinds.customers.title), href: "/customers" }

/** The page of a customer: account, form, latest documents and timeline. */
export default function CustomerPage({ id }: { id: string }) {
  const query = useRecord("customers", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="customers"
        scope="write"
        title={t(($) => $.customers.new)}
        parent={parent}
        sentence={t(($) => $.customers.onlyFor)}
      >
        <NewRecord kind="customers" title={t(($) => $.customers.new)} parent={parent}>
          {(copied, startAgain) => <CustomerForm customer={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(customer) => <Existing customer={customer} />}</Loaded>
}

function Existing({ customer }: { customer: Customer }) {
  const { id, version, name, status } = customer
  const may = useMay()
  const duplicate = useDuplicate("/customers", id)
  const removal = useDelete({ kind: "customers", id, version, name, to: "/customers" })
  return (
    <RecordPage
      kind="customers"
      record={customer}
      title={name}
      parent={parent}
      badge={<StatusBadge status={status} />}
      facts={useAccount(customer)}
      actions={<Actions customer={customer} />}
      more={{
        actions: [may("customers", "write") && duplicate, may("customers", "delete") && removal.action],
        isBusy: removal.isBusy,
      }}
      aside={<Documents customer={customer} />}
    >
      <CustomerForm customer={customer} />
    </RecordPage>
  )
}

/** An order is the main action on an active customer. An inactive one can still pay. */
function Actions({ customer: { id, isActive } }: { customer: Customer }) {
  const may = useMay()
  return (
    <>
      {may("invoices", "write") && (
        <Button component={Link} href={`/payments/new?customer=${id}`} variant="default">
          {t(($) => $.payments.record)}
        </Button>
      )}
      {isActive && may("sales-orders", "write") && (
        <Button component={Link} href={`/orders/new?customer=${id}`} leftSection={<IconPlus size={16} />}>
          {t(($) => $.orders.new)}
        </Button>
      )}
    </>
  )
}

/** What the customer owes and has left, and the latest documents. */
function Documents({ customer }: { customer: Customer }) {
  const may = useMay()
  const mayInvoices = may("invoices", "read")
  return (
    <>
      {mayInvoices && <OpenItems customer={customer} />}
      {mayInvoices && <Credit customer={customer} />}
      {may("sales-orders", "read") && <LatestOrders customer={customer.id} />}
      {mayInvoices && <LatestInvoices customer={customer.id} />}
    </>
  )
}

function useAccount(customer: Customer): HeaderFact[] {
  const {
    customerNumber,
    outstandingBalance,
    creditBalance,
    openOrdersValue,
    creditAvailable,
    taxTreatment,
  } = customer
  const { currency } = useMe().company
  const credit = creditAvailable === null ? t(($) => $.customers.noLimit) : money(creditAvailable, currency)
  return [
    { label: t(($) => $.common.number), value: customerNumber },
    {
      label: t(($) => $.fields.outstandingBalance),
      value: money(outstandingBalance, currency),
      isStrong: true,
    },
    ...(creditBalance > 0
      ? [{ label: t(($) => $.fields.creditBalance), value: money(creditBalance, currency) }]
      : []),
    { label: t(($) => $.customers.openOrders), value: money(openOrdersValue, currency) },
    { label: t(($) => $.customers.availableCredit), value: credit },
    ...(taxTreatment === "domestic"
      ? []
      : [{ label: t(($) => $.customers.tax), value: t(($) => $.values.taxTreatment[taxTreatment]) }]),
  ]
}
