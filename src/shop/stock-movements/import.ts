import { fieldError, missingReference, Refusal, type FieldError } from "../../core/lib/refusal"
import { hasTooManyMarks } from "../../core/lib/text"
import { keyOf } from "../../core/kind/keys"
import type { Input } from "../../core/kind/read"
import { plainBarcode } from "../../shared/barcode"
import { countedTitles } from "../../shared/import-fields"
import { itemLabels } from "../items/import"
import { items as itemKind } from "../items/model"
import type { ItemService } from "../items/service"
import { stockMovements } from "./model"
import type { StockMovementService } from "./service"
import { readValue } from "../../core/http/route/by-key"
import type { ImportKind } from "../../office/imports/kind"
import { importModes } from "../../office/imports/model"

const { itemCode, barcode, externalId } = itemKind.fields
const keys = ["itemCode", "barcode", "externalId"] as const

type Deps = { items: ItemService; stockMovements: StockMovementService }

/** The counted stock of items: each row sets the stock of one item, with an adjustment for the difference. */
export const stockCountImport = ({ items, stockMovements: ledger }: Deps): ImportKind => ({
  name: "stock-counts",
  noun: "stock counts",
  right: stockMovements.rights.write,
  fields: [
    { name: "itemCode", type: "text", isRequired: false },
    { name: "barcode", type: "text", isRequired: false },
    { name: "externalId", type: "text", isRequired: false },
    { name: "counted", type: "number", isRequired: true },
  ],
  keys: [
    { name: "itemCode", form: keyOf(itemCode) },
    { name: "barcode", form: keyOf(barcode) },
    { name: "externalId", form: keyOf(externalId) },
  ],
  recordOf: (input) => findItem(items, input),
  foundBy: keys,
  labels: {
    itemCode: itemLabels.itemCode,
    barcode: itemLabels.barcode,
    counted: countedTitles,
  },
  modes: importModes,
  isKeyRequired: true,
  write(tx, input, { caller, fileName }) {
    const item = findItem(items, input) ?? refuseItem(input)
    try {
      return ledger.countOne(tx, { item, counted: input.counted }, fileName?.slice(0, 200) ?? null, caller)
        ? "updated"
        : "unchanged"
    } catch (error) {
      throw error instanceof Refusal ? atFields(error) : error
    }
  },
})

/**
 * Returns the item of a row. What is in the column of the item code may also be the barcode, because scanners write it
 * there, and the barcode may be kept in the external id.
 */
function findItem(items: ItemService, input: Input): string | null {
  const name = keys.find((key) => typeof input[key] === "string")
  if (!name) return null
  const value = String(input[name])
  // No item has a key with as many combining marks as would be refused.
  if (hasTooManyMarks(value)) return null
  for (const each of keys.slice(keys.indexOf(name))) {
    const text = each === "barcode" ? plainBarcode(value) : value
    const id = items.findId(each, readValue(itemKind.fields[each], text))
    if (id !== null) return id
  }
  return null
}

function refuseItem(input: Input): never {
  const name = keys.find((key) => typeof input[key] === "string")
  throw refusal(
    name
      ? missingReference(name, String(input[name]).slice(0, 64))
      : fieldError("itemCode", "REQUIRED", "is required"),
  )
}

const refusal = (detail: FieldError): Refusal =>
  new Refusal("VALIDATION_ERROR", "The stock count has invalid values.", { details: [detail] })

/** Names the fields of the row instead of those of the count's only line. */
const atFields = ({ reason, message, details }: Refusal): Refusal =>
  new Refusal(reason, message, {
    details: details.map((each) => ({
      ...each,
      field: each.field === "lines[0].item" ? "itemCode" : each.field.replace("lines[0].", ""),
    })),
  })
