import type { Buyer } from "../customers/store"
import type { Invoice } from "./model"

/** Returns the customer data that an invoice stores. */
export const partyOf = ({ name, address, taxId }: Buyer) => ({
  customerName: name,
  billingAddress: address === null ? null : (JSON.parse(address) as Invoice["billingAddress"]),
  taxId,
})
