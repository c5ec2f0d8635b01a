import { lazy } from "react"
import { Route, Switch } from "wouter"
import { NotFound } from "../parts/not-found"

const Dashboard = lazy(() => import("../pages/dashboard"))
const Items = lazy(() => import("../pages/items/list"))
const Item = lazy(() => import("../pages/items/item"))
const Customers = lazy(() => import("../pages/customers/list"))
const Customer = lazy(() => import("../pages/customers/customer"))
const Orders = lazy(() => import("../pages/orders/list"))
const Order = lazy(() => import("../pages/orders/order"))
const Invoices = lazy(() => import("../pages/invoices/list"))
const Invoice = lazy(() => import("../pages/invoices/invoice"))
const Stock = lazy(() => import("../pages/stock/stock"))
const Print = lazy(() => import("../pages/print"))
const Account = lazy(() => import("../pages/account/page"))
const ApiKeys = lazy(() => import("../pages/api-keys/list"))
const Company = lazy(() => import("../pages/company/page"))
const Users = lazy(() => import("../pages/users/list"))
const Audit = lazy(() => import("../pages/audit/list"))
const Connections = lazy(() => import("../pages/connections/page"))
const OAuthClients = lazy(() => import("../pages/oauth-clients/list"))
const Backups = lazy(() => import("../pages/backups/page"))

/** All pages and their paths, below /console. Each page loads when it is first opened; /new creates a record. */
export const Pages = () => (
  <Switch>
    <Route path="/" component={Dashboard} />
    <Route path="/items" component={Items} />
    <Route path="/items/:id">{({ id }) => <Item key={id} id={id} />}</Route>
    <Route path="/customers" component={Customers} />
    <Route path="/customers/:id">{({ id }) => <Customer key={id} id={id} />}</Route>
    <Route path="/orders" component={Orders} />
    <Route path="/orders/:id">{({ id }) => <Order key={id} id={id} />}</Route>
    <Route path="/orders/:id/print">{({ id }) => <Print kind="sales-orders" id={id} />}</Route>
    <Route path="/invoices" component={Invoices} />
    <Route path="/invoices/:id">{({ id }) => <Invoice key={id} id={id} />}</Route>
    <Route path="/invoices/:id/print">{({ id }) => <Print kind="invoices" id={id} />}</Route>
    <Route path="/stock" component={Stock} />
    <Route path="/settings/account" component={Account} />
    <Route path="/settings/api-keys" component={ApiKeys} />
    <Route path="/settings/connections" component={Connections} />
    <Route path="/settings/company" component={Company} />
    <Route path="/settings/users" component={Users} />
    <Route path="/settings/oauth-clients" component={OAuthClients} />
    <Route path="/settings/audit" component={Audit} />
    <Route path="/settings/backups" component={Backups} />
    <Route>
      <NotFound />
    </Route>
  </Switch>
)
