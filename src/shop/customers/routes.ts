import { businessAreas } from "../../shared/rights"
import { Type } from "@sinclair/typebox"
import { ok } from "../../core/http/answer/envelope"
import { ref } from "../../core/http/openapi/kind-schemas"
import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { get, post, type Parameter, type Route } from "../../core/http/route/route"
import type { Reading } from "../../core/kind/body"
import { readParams } from "../../core/kind/query"
import { etagOf } from "../../core/kind/tag"
import { comparedFields, customers, Duplicate, type Merge, mergeBody } from "./model"
import type { Compared } from "./duplicates/query"
import type { CustomerService } from "./service"

const tag = customers.name

/** Customers: the common routes, those that may be the same, and merging two. */
export const customerRoutes = (
  { customers: service }: { customers: CustomerService },
  deps: BusinessDeps,
): Route[] => [duplicatesRoute(service), ...businessRoutes(customers, service, deps), mergeRoute(service)]

const addressParts = ["street", "zipCode", "city"] as const

const parameters: Parameter[] = [
  ...comparedFields
    .flatMap((name) => (name === "address" ? addressParts.map((part) => `address.${part}`) : [name]))
    .map((name): Parameter => ({
      name,
      in: "query",
      description: `The ${name} to compare.`,
      schema: Type.String(),
    })),
  {
    name: "except",
    in: "query",
    description: "The id of the customer with these values, if it exists.",
    schema: Type.String(),
  },
]

const duplicatesRoute = (service: CustomerService): Route =>
  get(
    "/customers/duplicates",
    {
      may: customers.rights.read,
      id: "findCustomerDuplicates",
      tag,
      summary: "Find customers that may be the same",
      description:
        "Customers with a name that is alike (without case, accents, punctuation and legal forms such as GmbH or Ltd, in any order of its words, and with small typing errors), or with the same email address, tax ID (its letters and digits), phone number (its last 8 digits) or address (street with a house number, and postcode, or else city), at most 4 of each. Customers that were merged into others are left out.",
      parameters: () => parameters,
      answer: {
        status: 200,
        description: "The customers; the best match first.",
        schema: Type.Array(Duplicate),
      },
      refuses: [422],
    },
    ({ call }) =>
      ok(
        service.findDuplicates(
          comparedIn(
            readParams(
              call.query,
              parameters.map(({ name }) => name),
            ),
          ),
        ),
      ),
  )

/** The parts of an address have parameters of their own. */
function comparedIn(params: ReadonlyMap<string, string>): Compared {
  const address = Object.fromEntries(addressParts.map((part) => [part, params.get(`address.${part}`)]))
  return { ...Object.fromEntries(params), address }
}

const mergeRoute = (service: CustomerService): Route =>
  post<Reading<Merge>>(
    "/customers/:id/merge",
    {
      may: { ...customers.rights.write, alsoAreas: businessAreas },
      id: "mergeCustomer",
      tag,
      summary: "Merge another customer into this one",
      description:
        "For managers and admins. The documents, payments and balances of `from` become those of this customer. Issued documents keep their buyer and their files. `from` stays as an inactive customer with `mergedInto`; bodies that name it mean this customer, with the warning `CUSTOMER_MERGED`. It cannot be undone.",
      names: { id: "customer" },
      body: mergeBody,
      takesIfMatch: true,
      answer: {
        status: 200,
        description: "The customer that is left.",
        schema: ref("Customer"),
        headers: ["ETag"],
      },
      refuses: [404, 412],
    },
    (tx, { params: { id = "" }, body, expected, caller }) => {
      const data = service.merge(tx, id, body, expected, caller)
      return { status: 200, headers: { etag: etagOf(data) }, data }
    },
  )
