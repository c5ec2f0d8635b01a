import type { FieldError } from "../../lib/refusal"
import type { CustomerService } from "../customers/service"

/** The customer a document names. One that is inactive may stay, but not be newly named. */
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
