import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { post, type Route } from "../../core/http/route/route"
import type { Reading } from "../../core/kind/body"
import { countResultSchema, stockCount, type StockCount } from "./count"
import { stockMovements } from "./model"
import type { StockMovementService } from "./service"

/** Stock movements: the common routes to create and read them, and the count. They are never updated or deleted. */
export const stockMovementRoutes = (
  { stockMovements: service }: { stockMovements: StockMovementService },
  deps: BusinessDeps,
): Route[] => [...businessRoutes(stockMovements, service, deps), countRoute(service)]

const countRoute = (service: StockMovementService): Route =>
  post<Reading<StockCount>>(
    "/stock-movements/count",
    {
      may: stockMovements.rights.write,
      id: "countStock",
      tag: stockMovements.name,
      summary: "Count the stock of items",
      description:
        "Sets the stock of up to 1,000 items to what was counted: writes an adjustment for each difference, all or none. A line whose count equals the stock writes nothing.",
      body: stockCount,
      answer: { status: 200, description: "The adjustments.", schema: countResultSchema },
    },
    (tx, { body, caller }) => ({ status: 200, headers: {}, data: service.count(tx, body, caller) }),
  )
