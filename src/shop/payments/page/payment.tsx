import { useRecord } from "../../../console/api/hooks"
import { NewDocument } from "../../../trade/page/new-document"
import { Loaded } from "../../../console/parts/loaded"
import { OnlyFor } from "../../../console/parts/only-for"
import { t } from "../../../console/texts"
import { NewPayment } from "./new-payment"
import { PaymentView } from "./payment-view"

const parent = { title: t(($) => $.kinds.payments.title), href: "/payments" }
const title = t(($) => $.payments.record)

/** The page of a payment, or of a new one, for the customer in the URL if there is one. */
export default function PaymentPage({ id }: { id: string }) {
  const query = useRecord("payments", id === "new" ? null : id)
  if (id !== "new") return <Loaded query={query}>{(payment) => <PaymentView payment={payment} />}</Loaded>
  return (
    <OnlyFor
      area="invoices"
      scope="write"
      title={title}
      parent={parent}
      sentence={t(($) => $.payments.onlyFor)}
    >
      <NewDocument title={title} parent={parent}>
        {(customer) => <NewPayment customer={customer ?? null} />}
      </NewDocument>
    </OnlyFor>
  )
}
