import { createRoute, readRoutes, type Money } from "../../http/kind-routes"
import type { Route } from "../../http/route"
import { stockMovements } from "./model"
import type { StockMovementService } from "./service"

/** Receipts, adjustments and returns, and the whole ledger to read. It has no changes and no deletes. */
export const stockMovementRoutes = (service: StockMovementService, money: Money): Route[] => [
  ...readRoutes(stockMovements, service, money),
  createRoute(stockMovements, service),
]
