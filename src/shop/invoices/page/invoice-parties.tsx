import { Anchor, Paper, SimpleGrid } from "@mantine/core"
import { Link } from "wouter"
import type { Invoice } from "../../../console/api/types"
import { BilledCustomer, Entry, IssuingCompany } from "../../../trade/page/parties"
import { date } from "../../../console/format"
import { t } from "../../../console/texts"

/** The customer, the company, dates, payment terms and order of an invoice. */
export const InvoiceParties = ({ invoice }: { invoice: Invoice }) => (
  <Paper withBorder p="md">
    <SimpleGrid cols={{ base: 1, xs: 2, md: invoice.seller ? 3 : 2 }}>
      <BilledCustomer of={invoice} />
      <Terms invoice={invoice} />
      {invoice.seller && <IssuingCompany seller={invoice.seller} />}
    </SimpleGrid>
  </Paper>
)

function Terms({ invoice }: { invoice: Invoice }) {
  const { salesOrder, orderNumber, buyerReference, isOpening } = invoice
  return (
    <div>
      <Entry label={t(($) => $.fields.invoiceDate)}>{date(invoice.invoiceDate)}</Entry>
      {!isOpening && <Entry label={t(($) => $.fields.supplyDate)}>{date(invoice.supplyDate)}</Entry>}
      <Entry label={t(($) => $.fields.paymentTerms)}>{invoice.paymentTerms ?? "–"}</Entry>
      {buyerReference && <Entry label={t(($) => $.fields.buyerReference)}>{buyerReference}</Entry>}
      {!isOpening && (
        <Entry label={t(($) => $.invoices.order)}>
          {salesOrder ? (
            <Anchor component={Link} href={`/orders/${salesOrder}`} inherit>
              {orderNumber}
            </Anchor>
          ) : (
            "–"
          )}
        </Entry>
      )}
    </div>
  )
}
