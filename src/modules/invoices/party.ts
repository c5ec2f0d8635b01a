import type { Buyer } from "../customers/store"
import type { Invoice } from "./model"

/** The customer as it stands on an invoice. */
export const partyOf = ({ name, address, taxId }: Buyer) => ({
  customerName: name,
  billingAddress: address === null ? null : (JSON.parse(address) as Invoice["billingAddress"]),
  taxId,
})
