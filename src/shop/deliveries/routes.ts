import { ref } from "../../core/http/openapi/kind-schemas"
import { created } from "../../core/http/request/write"
import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { post, type Route } from "../../core/http/route/route"
import type { Reading } from "../../core/kind/body"
import { statusRoute } from "../../trade/documents/status"
import { deliveries, type Delivering, delivering } from "./model"
import { transitions } from "./rules"
import type { DeliveryService } from "./service"

/** Deliveries: the common routes, delivering an order, and cancelling. */
export const deliveryRoutes = (
  { deliveries: service }: { deliveries: DeliveryService },
  deps: BusinessDeps,
): Route[] => [
  ...businessRoutes(deliveries, service, deps),
  post<Reading<Delivering>>(
    "/deliveries/from-order",
    {
      may: deliveries.rights.write,
      id: "createDeliveryFromOrder",
      tag: deliveries.name,
      summary: "Deliver a sales order, completely or in part",
      description:
        "Returns a delivery with its number. Without `items`, it contains all goods of the order that are not delivered yet: no services, and no lines without an item. Goods that an invoice took out of stock already do not leave it again. A completed order can be delivered too, up to what was invoiced.",
      body: delivering,
      answer: {
        status: 201,
        description: "The delivery.",
        schema: ref(deliveries.title),
        headers: ["ETag", "Location"],
      },
    },
    (tx, { body, caller }) => created("/api/v1/deliveries", service.fromOrder(tx, body, caller)),
  ),
  statusRoute(deliveries, service, {
    transitions,
    summary: "Cancel a delivery",
    about:
      "Its goods come back into stock, unless they are invoiced. The order can be delivered again. The role shop cancels none.",
    example: "cancelled",
  }),
]
