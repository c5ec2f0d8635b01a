import { Anchor } from "@mantine/core"
import { Link } from "wouter"

/** The invoice of a credit note, or the one that it is applied to. */
export const InvoiceLink = ({ of }: { of: { invoice: string; invoiceNumber: string } }) => (
  <Anchor component={Link} href={`/invoices/${of.invoice}`} inherit>
    {of.invoiceNumber}
  </Anchor>
)
