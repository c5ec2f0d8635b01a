import { crudRoutes, type Door } from "../../http/crud-routes"
import { items } from "./model"
import type { ItemService } from "./service"

export const itemRoutes = (service: ItemService, door: Door) =>
  crudRoutes(items, service, { ...door, area: "items" })
