import type { App } from "../../http/app"
import { createRoute, readRoutes, type Door } from "../../http/crud-routes"
import { stockMovements } from "./model"
import type { StockService } from "./service"

/** Receipts, adjustments and returns, and the whole ledger to read. It has no changes and no deletes. */
export const stockRoutes = (stock: StockService, door: Door) => (app: App) =>
  app
    .use(readRoutes(stockMovements, stock, { ...door, right: { area: "items", scope: "read" } }))
    .use(createRoute(stockMovements, stock, { ...door, right: { area: "items", scope: "write" } }))
