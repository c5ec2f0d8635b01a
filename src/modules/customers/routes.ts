import { crudRoutes, type Door } from "../../http/crud-routes"
import { customers } from "./model"
import type { CustomerService } from "./service"

export const customerRoutes = (service: CustomerService, door: Door) =>
  crudRoutes(customers, service, { ...door, area: "customers" })
