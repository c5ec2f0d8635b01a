import { Paper, SimpleGrid, Text, Title, Anchor } from "@mantine/core"
import type { ReactNode } from "react"
import type { Invoice } from "../../../console/api/types"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { countryName } from "../../../console/format"
import { Link } from "wouter"

type Billed = Pick<Invoice, "buyer" | "customerName" | "billingAddress" | "taxId" | "shippingAddress">

type Shown = Billed & { seller: Invoice["seller"] }

/** The customer and the company of a document, and between them its dates and references. */
export const Parties = ({ of: document, children }: { of: Shown; children: ReactNode }) => (
  <Paper withBorder p="md">
    <SimpleGrid cols={{ base: 1, xs: 2, md: document.seller ? 3 : 2 }}>
      <BilledCustomer of={document} />
      {children}
      {document.seller && <IssuingCompany seller={document.seller} />}
    </SimpleGrid>
  </Paper>
)

/** The customer as they were when the document was issued, or as they are on a draft. */
function BilledCustomer({ of: document }: { of: Billed }) {
  const { buyer, shippingAddress } = document
  const address = addressLines(buyer ? buyer.address : document.billingAddress)
  const shipping = addressLines(shippingAddress)
  const taxId = buyer ? buyer.taxId : document.taxId
  const isShippedElsewhere = shipping.length > 0 && shipping.join("\n") !== address.join("\n")
  return (
    <div>
      <Party
        title={t(($) => $.documents.billedTo)}
        name={buyer?.name ?? document.customerName}
        lines={[
          ...(buyer?.contactName ? [t(($) => $.documents.contact, { name: buyer.contactName })] : []),
          ...address,
          ...(taxId ? [t(($) => $.documents.taxId, { taxId })] : []),
        ]}
      />
      {isShippedElsewhere && (
        <Entry label={common(($) => $.fields.shippingAddress)}>{shipping.join(", ")}</Entry>
      )}
    </div>
  )
}

/** The company as it was when the document was issued. */
const IssuingCompany = ({ seller }: { seller: NonNullable<Invoice["seller"]> }) => (
  <Party
    title={t(($) => $.documents.issuedBy)}
    name={seller.legalName ?? "–"}
    lines={[
      ...addressLines(seller.address),
      ...(seller.vatId ? [t(($) => $.documents.taxId, { taxId: seller.vatId })] : []),
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

/** A value of a document with its label before it. */
export const Entry = ({ label, children }: { label: string; children: ReactNode }) => (
  <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
    <Text span c="dimmed" inherit>
      {label}:
    </Text>{" "}
    {children}
  </Text>
)

type Address = { [K in "street" | "zipCode" | "city" | "state" | "country"]?: string | null }

/** Returns the lines of an address, without empty ones. */
export const addressLines = (address: Address | null | undefined): string[] =>
  [
    address?.street,
    [address?.zipCode, address?.city].filter(Boolean).join(" "),
    address?.state,
    countryName(address?.country),
  ].flatMap((line) => line || [])

/** The customer of a document. */
export const CustomerLink = ({ of }: { of: { customer: string; customerName: string } }) => (
  <Anchor component={Link} href={`/customers/${of.customer}`} inherit>
    {of.customerName}
  </Anchor>
)

/** The invoice of a credit note, or the one that it is applied to. */
export const InvoiceLink = ({ of }: { of: { invoice: string; invoiceNumber: string } }) => (
  <Anchor component={Link} href={`/invoices/${of.invoice}`} inherit>
    {of.invoiceNumber}
  </Anchor>
)
