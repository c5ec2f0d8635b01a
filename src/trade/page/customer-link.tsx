import { Anchor } from "@mantine/core"
import { Link } from "wouter"

/** The customer of a document. */
export const CustomerLink = ({ of }: { of: { customer: string; customerName: string } }) => (
  <Anchor component={Link} href={`/customers/${of.customer}`} inherit>
    {of.customerName}
  </Anchor>
)
