import { fieldError, missingReference, type FieldError } from "../../lib/refusal"
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
  if (!customer) errors.push(missingReference("customer", id))
  else if (!customer.isActive && id !== before)
    errors.push(
      fieldError("customer", "RULE", `${customer.name} is inactive`, {
        rule: "INACTIVE",
        name: customer.name,
      }),
    )
  return customer
}
