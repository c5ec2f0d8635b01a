import type { Input } from "../../core/kind/read"
import { items } from "./model"
import type { ItemService } from "./service"
import type { TaxCodeService } from "../tax-codes/service"
import type { ImportKind } from "../../office/imports/kind"
import { recordImport } from "../../office/imports/records"

type Needs = { items: ItemService; taxCodes: Pick<TaxCodeService, "findId"> }

/** Items are found by their code, or else by their external id. A tax code is named by its code. */
export const itemImport = ({ items: service, taxCodes }: Needs): ImportKind =>
  recordImport({
    resource: items,
    noun: "items",
    service,
    keys: ["itemCode", "externalId"],
    prepare: (input) => withTaxCode(input, taxCodes),
  })

function withTaxCode(input: Input, taxCodes: Pick<TaxCodeService, "findId">): Input {
  const { taxCode } = input
  if (typeof taxCode !== "string") return input
  return { ...input, taxCode: taxCodes.findId("code", taxCode.slice(0, 100)) ?? taxCode }
}
