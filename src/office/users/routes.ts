import { createRoute, readRoutes, updateRoutes, type Money } from "../../core/http/route/kind-routes"
import type { Route } from "../../core/http/route/route"
import { users } from "./model"
import type { UserService } from "./service"

/** The users and their roles, for admins. A user is disabled and never deleted, because the audit log refers to it. */
export const userRoutes = (service: UserService, money: Money): Route[] => [
  ...readRoutes(users, service, money),
  createRoute(users, service),
  ...updateRoutes(users, service),
]
