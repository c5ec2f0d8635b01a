import { Anchor, Paper, SimpleGrid, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import type { Invoice } from "../../api/types"
import { addressLines } from "../../documents/address"
import { date } from "../../format"
import { t } from "../../texts"

/** The customer, the company, dates, payment terms and order of an invoice. */
export const InvoiceParties = ({ invoice }: { invoice: Invoice }) => (
  <Paper withBorder p="md">
    <SimpleGrid cols={{ base: 1, xs: 2, md: invoice.seller ? 3 : 2 }}>
      <InvoicedCustomer invoice={invoice} />
      <Terms invoice={invoice} />
      {invoice.seller && <IssuingCompany seller={invoice.seller} />}
    </SimpleGrid>
  </Paper>
)

/** The customer as they were when the invoice was issued, or as they are on a draft. */
function InvoicedCustomer({ invoice }: { invoice: Invoice }) {
  const { buyer, shippingAddress } = invoice
  const address = addressLines(buyer ? buyer.address : invoice.billingAddress)
  const shipping = addressLines(shippingAddress)
  const taxId = buyer ? buyer.taxId : invoice.taxId
  const isShippedElsewhere = shipping.length > 0 && shipping.join("\n") !== address.join("\n")
  return (
    <div>
      <Party
        title={t(($) => $.invoices.billedTo)}
        name={buyer?.name ?? invoice.customerName}
        lines={[
          ...(buyer?.contactName ? [t(($) => $.invoices.contact, { name: buyer.contactName })] : []),
          ...address,
          ...(taxId ? [t(($) => $.invoices.taxId, { taxId })] : []),
        ]}
      />
      {isShippedElsewhere && <Entry label={t(($) => $.fields.shippingAddress)}>{shipping.join(", ")}</Entry>}
    </div>
  )
}

/** The company as it was when the invoice was issued. */
const IssuingCompany = ({ seller }: { seller: NonNullable<Invoice["seller"]> }) => (
  <Party
    title={t(($) => $.invoices.issuedBy)}
    name={seller.legalName ?? "–"}
    lines={[
      ...addressLines(seller.address),
      ...(seller.vatId ? [t(($) => $.invoices.taxId, { taxId: seller.vatId })] : []),
      ...(seller.taxNumber ? [seller.taxNumber] : []),
      ...(seller.iban ? [seller.iban] : []),
    ]}
  />
)

const Party = ({ title, name, lines }: { title: string; name: string; lines: string[] }) => (
  <div>
    <Title order={2} size="h5" mb={4}>
      {title}
    </Title>
    <Text fw={600} style={{ overflowWrap: "anywhere" }}>
      {name}
    </Text>
    {lines.map((line) => (
      <Text key={line} size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {line}
      </Text>
    ))}
  </div>
)

function Terms({ invoice }: { invoice: Invoice }) {
  const { salesOrder, orderNumber, buyerReference } = invoice
  return (
    <div>
      <Entry label={t(($) => $.fields.invoiceDate)}>{date(invoice.invoiceDate)}</Entry>
      <Entry label={t(($) => $.fields.supplyDate)}>{date(invoice.supplyDate)}</Entry>
      <Entry label={t(($) => $.fields.paymentTerms)}>{invoice.paymentTerms ?? "–"}</Entry>
      {buyerReference && <Entry label={t(($) => $.fields.buyerReference)}>{buyerReference}</Entry>}
      <Entry label={t(($) => $.invoices.order)}>
        {salesOrder ? (
          <Anchor component={Link} href={`/orders/${salesOrder}`} inherit>
            {orderNumber}
          </Anchor>
        ) : (
          "–"
        )}
      </Entry>
    </div>
  )
}

const Entry = ({ label, children }: { label: string; children: ReactNode }) => (
  <Text size="sm" style={{ overflowWrap: "anywhere" }}>
    <Text span c="dimmed" inherit>
      {label}:
    </Text>{" "}
    {children}
  </Text>
)
