import type { FieldError } from "../../lib/refusal"
import type { Input } from "../../resource/read"
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

/** Returns the id of the customer that a body names by `customer`, by `customerExternalId`, or by both. */
export function customerIdOf(
  customers: CustomerService,
  { customer, customerExternalId: externalId }: Input,
  errors: FieldError[],
): unknown {
  if (externalId === undefined || externalId === null) return customer
  const error = (message: string) => void errors.push({ field: "customerExternalId", message })
  if (typeof externalId !== "string") return error("must be a string")
  const id = customers.findId("externalId", externalId)
  if (id === null) return error(`${JSON.stringify(externalId.slice(0, 100))} does not exist`)
  if (typeof customer === "string" && customer !== id) return error("is not the externalId of customer")
  return id
}
