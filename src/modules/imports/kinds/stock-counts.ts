import { fieldError, missingReference, Refusal, type FieldError } from "../../../lib/refusal"
import { keyOf } from "../../../resource/table-shape"
import type { Input } from "../../../resource/read"
import { items as itemKind } from "../../items/model"
import type { ItemService } from "../../items/service"
import { stockMovements } from "../../stock-movements/model"
import type { StockMovementService } from "../../stock-movements/service"
import { readValue } from "../../../http/by-key"
import type { ImportKind } from "../kind"
import { importModes } from "../model"

const { itemCode, externalId } = itemKind.fields

type Deps = { items: ItemService; stockMovements: StockMovementService }

/** The counted stock of items: each row sets the stock of one item, with an adjustment for the difference. */
export const stockCountImport = ({ items, stockMovements: ledger }: Deps): ImportKind => ({
  name: "stock-counts",
  noun: "stock counts",
  right: stockMovements.rights.write,
  fields: [
    { name: "itemCode", type: "text", isRequired: false },
    { name: "externalId", type: "text", isRequired: false },
    { name: "counted", type: "number", isRequired: true },
  ],
  keys: [
    { name: "itemCode", form: keyOf(itemCode) },
    { name: "externalId", form: keyOf(externalId) },
  ],
  modes: importModes,
  isKeyRequired: true,
  write(tx, input, { caller, fileName }) {
    const item = findItem(items, input)
    try {
      return ledger.countOne(tx, { item, counted: input.counted }, fileName?.slice(0, 200) ?? null, caller)
        ? "updated"
        : "unchanged"
    } catch (error) {
      throw error instanceof Refusal ? atFields(error) : error
    }
  },
})

function findItem(items: ItemService, input: Input): string {
  for (const [name, field] of Object.entries({ itemCode, externalId })) {
    const value = input[name]
    if (typeof value !== "string") continue
    const id = items.findId(name, readValue(field, value))
    if (id !== null) return id
    throw refusal(missingReference(name, value.slice(0, 64)))
  }
  throw refusal(fieldError("itemCode", "REQUIRED", "is required"))
}

const refusal = (detail: FieldError): Refusal =>
  new Refusal("VALIDATION_ERROR", "The stock count has invalid values.", { details: [detail] })

/** Names the fields of the row instead of those of the count's only line. */
const atFields = ({ code, message, details }: Refusal): Refusal =>
  new Refusal(code, message, {
    details: details.map((each) => ({
      ...each,
      field: each.field === "lines[0].item" ? "itemCode" : each.field.replace("lines[0].", ""),
    })),
  })
