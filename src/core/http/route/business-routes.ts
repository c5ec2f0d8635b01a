import type { Resource, Shared } from "../../kind/define"
import { batchRoute, type BatchDeps } from "./batch"
import { byKeyRoutes, type Keyed } from "./by-key"
import { crudRoutes, type Money, type Removable } from "./kind-routes"
import type { Route } from "./route"

/** The functions that a service of business records must have. */
export type Business<T> = Keyed<T> & Removable

export type BusinessDeps = BatchDeps & { money: Money }

/** The routes of business records: the common ones, by other keys than the id, and many at once. */
export const businessRoutes = <T extends Shared>(
  kind: Resource,
  service: Business<T>,
  deps: BusinessDeps,
): Route[] => [
  ...crudRoutes(kind, service, deps.money),
  ...byKeyRoutes(kind, service),
  batchRoute(kind, service, deps),
]
