import type { CustomerService } from "../shop/customers/service"
import type { InvoiceService } from "../shop/invoices/service"
import type { ItemService } from "../shop/items/service"
import type { StockMovementService } from "../shop/stock-movements/service"
import type { TaxCodeService } from "../shop/tax-codes/service"
import type { ImportKind } from "../office/imports/kind"
import type { ImportKindName } from "../office/imports/model"
import { customerImport } from "../shop/customers/import"
import { itemImport } from "../shop/items/import"
import { openingInvoiceImport } from "../shop/invoices/import"
import { stockCountImport } from "../shop/stock-movements/import"

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
