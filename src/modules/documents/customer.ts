import type { FieldError } from "../../lib/refusal"
import type { CustomerService } from "../customers/service"

/** Finds the customer of a document. An inactive customer may stay on a document, but not be set on it. */
export function readCustomer(
  customers: CustomerService,
  id: unknown,
  before: string | null,
  errors: FieldError[],
) {
  if (typeof id !== "string") return null
  const customer = customers.forDocument(id)
  if (!customer) errors.push({ field: "customer", message: `${JSON.stringify(id)} does not exist` })
  else if (!customer.isActive && id !== before)
    errors.push({ field: "customer", message: `${customer.name} is inactive` })
  return customer
}
