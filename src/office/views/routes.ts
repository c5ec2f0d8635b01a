import {
  createRoute,
  readRoutes,
  removeRoute,
  updateRoutes,
  type Money,
} from "../../core/http/route/kind-routes"
import type { Route } from "../../core/http/route/route"
import { views } from "./model"
import type { ViewService } from "./service"

/** The caller's own views, and those that are shared with everybody. */
export const viewRoutes = (service: ViewService, money: Money): Route[] => [
  ...readRoutes(views, service, money),
  createRoute(views, service),
  ...updateRoutes(views, service),
  removeRoute(views, service),
]
