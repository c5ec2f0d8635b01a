import type { CustomerService } from "../../customers/service"
import type { InvoiceService } from "../../invoices/service"
import type { ItemService } from "../../items/service"
import type { StockMovementService } from "../../stock-movements/service"
import type { TaxCodeService } from "../../tax-codes/service"
import type { ImportKind } from "../kind"
import type { ImportKindName } from "../model"
import { customerImport } from "./customers"
import { itemImport } from "./items"
import { openingInvoiceImport } from "./opening-invoices"
import { stockCountImport } from "./stock-counts"

type Deps = {
  items: ItemService
  customers: CustomerService
  invoices: InvoiceService
  stockMovements: StockMovementService
  taxCodes: TaxCodeService
}

/** All kinds of import, each with the services that write its records. */
export const importKinds = (deps: Deps): Record<ImportKindName, ImportKind> => ({
  items: itemImport(deps.items, deps.taxCodes),
  customers: customerImport(deps.customers),
  "stock-counts": stockCountImport(deps),
  "opening-invoices": openingInvoiceImport(deps.invoices),
})
