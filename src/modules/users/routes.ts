import type { App } from "../../http/app"
import { createRoute, readRoutes, updateRoutes, type Door } from "../../http/crud-routes"
import type { Right } from "../../http/caller"
import { users } from "./model"
import type { UserService } from "./service"

const reading: Right = { area: "administration", scope: "admin" }
const writing: Right = { ...reading, personal: true }

/** People and their roles, for admins. A user is disabled and never deleted: the audit log still names it. */
export const userRoutes = (service: UserService, door: Door) => (app: App) =>
  app
    .use(readRoutes(users, service, { ...door, right: reading }))
    .use(createRoute(users, service.overHttp, { ...door, right: writing }))
    .use(updateRoutes(users, service.overHttp, { ...door, right: writing }))
