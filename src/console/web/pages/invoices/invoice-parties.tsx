import { Anchor, Paper, SimpleGrid, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import type { Invoice } from "../../api/types"
import { date } from "../../format"
import { t } from "../../texts"
import { countryName } from "../customers/countries"

/** The customer, dates, payment terms and order of an invoice. */
export const InvoiceParties = ({ invoice }: { invoice: Invoice }) => (
  <Paper withBorder p="md">
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <InvoicedCustomer invoice={invoice} />
      <Terms invoice={invoice} />
    </SimpleGrid>
  </Paper>
)

function InvoicedCustomer({ invoice }: { invoice: Invoice }) {
  const { customerName, billingAddress: address, taxId } = invoice
  const place = [
    address?.["street"],
    [address?.["zipCode"], address?.["city"]].filter(Boolean).join(" "),
    address?.["state"],
    countryName(address?.["country"]),
  ].filter(Boolean)
  return (
    <div>
      <Title order={2} size="h5" mb={4}>
        {t(($) => $.invoices.billedTo)}
      </Title>
      <Text fw={600} style={{ overflowWrap: "anywhere" }}>
        {customerName}
      </Text>
      {place.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      {taxId && <Text size="sm">{t(($) => $.invoices.taxId, { taxId })}</Text>}
    </div>
  )
}

function Terms({ invoice }: { invoice: Invoice }) {
  const { salesOrder, orderNumber } = invoice
  return (
    <div>
      <Entry label={t(($) => $.fields.invoiceDate)}>{date(invoice.invoiceDate)}</Entry>
      <Entry label={t(($) => $.fields.paymentTerms)}>{invoice.paymentTerms ?? "–"}</Entry>
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
  <Text size="sm">
    <Text span c="dimmed" inherit>
      {label}:
    </Text>{" "}
    {children}
  </Text>
)
