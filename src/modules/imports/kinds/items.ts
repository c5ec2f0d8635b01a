import type { Input } from "../../../resource/read"
import { items } from "../../items/model"
import type { ItemService } from "../../items/service"
import type { TaxCodeService } from "../../tax-codes/service"
import type { ImportKind } from "../kind"
import { recordImport } from "./records"

/** Items are found by their code, or else by their external id. A tax code is named by its code. */
export const itemImport = (service: ItemService, taxCodes: Pick<TaxCodeService, "findId">): ImportKind =>
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
