import { useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { Customer } from "../../../console/api/types"
import type { MailStatus } from "../../../office/mail/model"

/** Where the documents of a customer go; `isSetUp` is false if there is no mail server. */
export type Recipient = { isSetUp: boolean; address: string | null }

/** Returns the address to which the invoices of a customer go. */
export const invoiceAddressOf = ({ invoiceEmail, email }: Pick<Customer, "invoiceEmail" | "email">) =>
  invoiceEmail ?? email

/**
 * Finds out whether a document of a customer can be sent as soon as it is issued, and where to. Only what is about money goes
 * to the address for invoices.
 */
export async function recipientOf(customer: string, isBilling = true): Promise<Recipient> {
  const [{ data: status }, { data: found }] = await Promise.all([
    call<MailStatus>("GET", "/messages/status"),
    call<Customer>("GET", `/customers/${customer}`),
  ])
  return { isSetUp: status.isSetUp, address: isBilling ? invoiceAddressOf(found) : found.email }
}

/** True if an invoice can be sent as soon as it is issued. */
export const maySendTo = ({ isSetUp, address }: Recipient): boolean => isSetUp && address !== null

export const useRecipient = (customer: string, isBilling = true) =>
  useQuery({
    queryKey: ["customers", customer, "recipient", isBilling],
    queryFn: () => recipientOf(customer, isBilling),
  })
