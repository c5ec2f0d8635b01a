import type { Resource } from "../../kind/define"
import { batchRoute, type BatchDeps } from "./batch"
import { byKeyRoutes, type Keyed, type Offered } from "./by-key"
import {
  createRoute,
  has,
  type Money,
  readRoutes,
  type Removable,
  removeRoute,
  updateRoutes,
} from "./kind-routes"
import type { Route } from "./route"

/** The functions of a service of business records, for all of their routes. */
export type Business<T> = Keyed<T> & Removable

export type BusinessDeps = BatchDeps & { money: Money }

/** The routes of business records: the common ones, by other keys than the id, and many at once. */
export const businessRoutes = <T extends { id: string }>(
  kind: Resource,
  service: Offered<T>,
  deps: BusinessDeps,
): Route[] => [
  ...readRoutes(kind, service, deps.money),
  ...(has(service, "create") ? [createRoute(kind, service)] : []),
  ...(has(service, "update") ? updateRoutes(kind, service) : []),
  ...(has(service, "remove") ? [removeRoute(kind, service)] : []),
  ...byKeyRoutes(kind, service),
  batchRoute(kind, service, deps),
]
