import { Route, Switch } from "wouter"
import { NotFound } from "../parts/not-found"
import { split } from "../parts/split"

const Dashboard = split(() => import("../pages/dashboard"))
const Items = split(() => import("../pages/items/list"))
const Item = split(() => import("../pages/items/item"))
const Customers = split(() => import("../pages/customers/list"))
const Customer = split(() => import("../pages/customers/customer"))
const Orders = split(() => import("../pages/orders/list"))
const Order = split(() => import("../pages/orders/order"))
const Invoices = split(() => import("../pages/invoices/list"))
const Invoice = split(() => import("../pages/invoices/invoice"))
const CreditNotes = split(() => import("../pages/credit-notes/list"))
const CreditNote = split(() => import("../pages/credit-notes/credit-note"))
const Payments = split(() => import("../pages/payments/list"))
const Payment = split(() => import("../pages/payments/payment"))
const Stock = split(() => import("../pages/stock/on-hand"))
const StockLedger = split(() => import("../pages/stock/ledger"))
const StockCount = split(() => import("../pages/stock-count/page"))
const ImportWizard = split(() => import("../pages/import/page"))
const ImportRecord = split(() => import("../pages/import/import"))
const Account = split(() => import("../pages/account/page"))
const Limits = split(() => import("../pages/limits/page"))
const ApiKeys = split(() => import("../pages/api-keys/list"))
const Company = split(() => import("../pages/company/page"))
const TaxCodes = split(() => import("../pages/tax-codes/list"))
const TaxCode = split(() => import("../pages/tax-codes/tax-code"))
const Users = split(() => import("../pages/users/list"))
const Audit = split(() => import("../pages/audit/list"))
const Connections = split(() => import("../pages/connections/page"))
const OAuthClients = split(() => import("../pages/oauth-clients/list"))
const Webhooks = split(() => import("../pages/webhooks/list"))
const Webhook = split(() => import("../pages/webhooks/webhook"))
const Backups = split(() => import("../pages/backups/page"))

/** The pages of the settings and for developers. */
const settingsRoutes = (
  <>
    <Route path="/settings/account" component={Account} />
    <Route path="/settings/api-keys" component={ApiKeys} />
    <Route path="/settings/limits" component={Limits} />
    <Route path="/settings/connections" component={Connections} />
    <Route path="/settings/company" component={Company} />
    <Route path="/settings/tax-codes" component={TaxCodes} />
    <Route path="/settings/tax-codes/:id">{({ id }) => <TaxCode key={id} id={id} />}</Route>
    <Route path="/settings/users" component={Users} />
    <Route path="/settings/oauth-clients" component={OAuthClients} />
    <Route path="/settings/webhooks" component={Webhooks} />
    <Route path="/settings/webhooks/:id">{({ id }) => <Webhook key={id} id={id} />}</Route>
    <Route path="/settings/audit" component={Audit} />
    <Route path="/settings/backups" component={Backups} />
  </>
)

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
    <Route path="/invoices" component={Invoices} />
    <Route path="/invoices/:id">{({ id }) => <Invoice key={id} id={id} />}</Route>
    <Route path="/credit-notes" component={CreditNotes} />
    <Route path="/credit-notes/:id">{({ id }) => <CreditNote key={id} id={id} />}</Route>
    <Route path="/payments" component={Payments} />
    <Route path="/payments/:id">{({ id }) => <Payment key={id} id={id} />}</Route>
    <Route path="/stock" component={Stock} />
    <Route path="/stock/ledger" component={StockLedger} />
    <Route path="/stock/count" component={StockCount} />
    <Route path="/import" component={ImportWizard} />
    <Route path="/import/:id">{({ id }) => <ImportRecord key={id} id={id} />}</Route>
    {settingsRoutes}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)
