import { createRoute, readRoutes, type Money } from "../../http/kind-routes"
import type { Route } from "../../http/route"
import { stockMovements } from "./model"
import type { StockMovementService } from "./service"

/** Routes to create receipts, adjustments and returns, and to read the ledger. It has no updates and no deletes. */
export const stockMovementRoutes = (service: StockMovementService, money: Money): Route[] => [
  ...readRoutes(stockMovements, service, money),
  createRoute(stockMovements, service),
]
