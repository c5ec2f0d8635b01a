import { useMay } from "../../console/api/hooks"
import { lineIndexOf, type Missing } from "./e-invoice-words"
import { useLacksTaxCodes } from "./use-tax-codes"

/** The document whose e-invoice is checked, as far as the links need it. */
export type CheckedDocument = {
  /** The path of its page. */
  path: string
  /** True for a draft that the user may update. */
  isEditable: boolean
  customer: string
  items: readonly { item: string | null; uom: string }[]
}

type Rights = { isAdmin: boolean; mayCustomers: boolean; mayItems: boolean; hasTaxCodes: boolean }

/** Returns where the user can fill in what is missing: a page, which then focuses the field. */
export function usePlaces(document: CheckedDocument): (missing: Missing) => string | null {
  const may = useMay()
  const rights = {
    isAdmin: may("administration", "admin"),
    mayCustomers: may("customers", "write"),
    mayItems: may("items", "write"),
    hasTaxCodes: !useLacksTaxCodes(),
  }
  return (missing) => placeOf(missing, document, rights)
}

const focusing = (path: string, field: string, others: Record<string, string> = {}): string =>
  `${path}?${new URLSearchParams({ focus: field, ...others })}`

function placeOf({ field, rule }: Missing, document: CheckedDocument, rights: Rights): string | null {
  const { path, isEditable, customer } = document
  const [first, ...rest] = field.split(".")
  if (first === "seller") return rights.isAdmin ? focusing("/settings/company", rest.join(".")) : null
  if (first === "buyer")
    return rights.mayCustomers ? focusing(`/customers/${customer}`, rest.join(".")) : null
  const index = lineIndexOf(field)
  if (index !== null) return placeOfLine(rest.join("."), rule, index, document, rights)
  const isOfDocument = first === "buyerReference" || first === "shippingAddress"
  return isOfDocument && isEditable ? focusing(path, field) : null
}

/** A unit gets its code in the settings. A tax code is chosen in the line of a draft, or else in the item. */
function placeOfLine(
  part: string,
  rule: string | undefined,
  index: number,
  { path, isEditable, items }: CheckedDocument,
  { isAdmin, mayItems, hasTaxCodes }: Rights,
): string | null {
  const line = items[index]
  if (part === "uom" && isAdmin) return focusing("/settings/company", "unitCodes", { unit: line?.uom ?? "" })
  const needsTaxCodes = part === "taxCode" && (!hasTaxCodes || rule === "BR-E-10")
  if (needsTaxCodes) return isAdmin ? "/settings/tax-codes" : null
  const isOfItem = line?.item && part !== "description"
  if (isEditable && !(isOfItem && part === "uom")) return focusing(path, `items.${index}.${part}`)
  return isOfItem && mayItems ? focusing(`/items/${line.item}`, part) : null
}
