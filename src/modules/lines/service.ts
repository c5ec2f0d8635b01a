import type { Tx } from "../../db/writer"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { newId } from "../../lib/id"
import { isExact, lineAmounts, type Totals } from "../../shared/money"
import type { Detail } from "../../lib/refusal"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import type { GivenLine, Line } from "./model"

type Reading = {
  /** The lines as they are now; a given line that names one of them keeps its id. */
  before: readonly Line[]
  idPrefix: string
  now: string
  digits: number
  faults: Detail[]
}

/** Turns what a caller says of lines into lines: items looked up, prices filled in, amounts counted. */
export function readLines(catalogue: ItemService, given: readonly GivenLine[], reading: Reading): Line[] {
  const { before, idPrefix, now, digits, faults } = reading
  const sold = catalogue.forLines(given.flatMap(({ item }) => item ?? []))
  const seen = new Set<unknown>()
  return given.flatMap((line, i) => {
    const fault = (part: string, message: string) =>
      void faults.push({ field: `items[${i}].${part}`, message })
    const known = before.find(({ id }) => id === line.id)
    const isNamed = line.id !== undefined && line.id !== null
    if (isNamed && (!known || seen.has(line.id)))
      fault("id", known ? "is given twice" : "is not a line of this document")
    seen.add(line.id)
    if (line.item == null) return []
    const item = sold.get(line.item)
    const stays = known?.item === line.item
    if (!item) fault("item", `${JSON.stringify(line.item)} does not exist`)
    else if (!item.isActive && !stays) fault("item", `${item.itemCode} is inactive`)
    if (!item || line.quantity == null) return []
    // A line that stays keeps what was agreed on it, unless something else is said.
    const figures = {
      quantity: inUnits(line.quantity),
      rate: line.rate == null ? (stays ? known.rate : item.sellingPrice) : inUnits(line.rate),
      discount: line.discount == null ? (stays ? known.discount : 0) : inUnits(line.discount),
    }
    const { itemCode, itemName, uom, taxRate } = stays ? known : item
    const id = known ? known.id : newId(idPrefix, now)
    return [
      { id, item: line.item, itemCode, itemName, uom, taxRate, ...figures, ...lineAmounts(figures, digits) },
    ]
  })
}

/** Tells where a body says something else of a line than what only the service sets. */
export function warnOfLines(
  tx: Tx,
  input: unknown,
  shown: readonly { id: string }[],
  own: readonly string[],
): void {
  if (!Array.isArray(input)) return
  input.forEach((given: Record<string, unknown>, i) => {
    const line = shown.find(({ id }) => id === given?.id) as Record<string, unknown> | undefined
    if (!line) return
    for (const name of own) {
      if (!(name in given) || Bun.deepEquals(given[name], line[name])) continue
      const field = `items[${i}].${name}`
      tx.warnings.push({ code: "READ_ONLY_FIELD", field, message: `${field} is read-only and was ignored.` })
    }
  })
}

/** What only the service sets on a line. */
export const servedParts = ["itemCode", "itemName", "uom", "amount", "discountAmount", "taxRate"] as const

/** What is wrong with a document that comes to more than can be counted exactly. */
export const totalFaults = ({ subtotal, discountTotal, total }: Totals, digits: number): Detail[] =>
  [subtotal, discountTotal, total].every(
    (amount) => isExact(amount) && toUnits(fromUnits(amount, digits), digits) === amount,
  )
    ? []
    : [{ field: "items", message: "come to more than can be counted exactly" }]

/** True when two lists of lines say the same of everything that a caller sets. */
export const sameLines = (a: readonly Line[], b: readonly Line[]): boolean =>
  a.length === b.length &&
  a.every(({ id, item, quantity, rate, discount }, i) =>
    Bun.deepEquals(
      [id, item, quantity, rate, discount],
      [b[i]?.id, b[i]?.item, b[i]?.quantity, b[i]?.rate, b[i]?.discount],
    ),
  )

/** The customer a document names. One that is inactive may stay, but not be newly named. */
export function readCustomer(clients: CustomerService, id: unknown, before: string | null, faults: Detail[]) {
  if (typeof id !== "string") return null
  const customer = clients.forDocument(id)
  if (!customer) faults.push({ field: "customer", message: `${JSON.stringify(id)} does not exist` })
  else if (!customer.isActive && id !== before)
    faults.push({ field: "customer", message: `${customer.name} is inactive` })
  return customer
}

/** The lines whose item is inactive now: what must not be before a document binds anybody. */
export function inactiveFaults(catalogue: ItemService, lines: readonly Line[]): Detail[] {
  const sold = catalogue.forLines(lines.map(({ item }) => item))
  return lines.flatMap(({ item, itemCode }, i) =>
    sold.get(item)?.isActive ? [] : [{ field: `items[${i}].item`, message: `${itemCode} is inactive` }],
  )
}

const inUnits = (value: number): number => toUnits(value, priceDigits) ?? 0
