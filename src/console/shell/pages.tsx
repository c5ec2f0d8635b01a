import { Route, Switch } from "wouter"
import { NotFound } from "../parts/not-found"
import { split } from "../parts/split"

const Dashboard = split(() => import("../../shop/reports/page/dashboard"))
const Items = split(() => import("../../shop/items/page/list"))
const Item = split(() => import("../../shop/items/page/item"))
const Customers = split(() => import("../../shop/customers/page/list"))
const Customer = split(() => import("../../shop/customers/page/customer"))
const Orders = split(() => import("../../shop/sales-orders/page/list"))
const Order = split(() => import("../../shop/sales-orders/page/order"))
const Invoices = split(() => import("../../shop/invoices/page/list"))
const Invoice = split(() => import("../../shop/invoices/page/invoice"))
const CreditNotes = split(() => import("../../shop/credit-notes/page/list"))
const CreditNote = split(() => import("../../shop/credit-notes/page/credit-note"))
const Payments = split(() => import("../../shop/payments/page/list"))
const Payment = split(() => import("../../shop/payments/page/payment"))
const Stock = split(() => import("../../shop/stock-movements/page/on-hand"))
const StockLedger = split(() => import("../../shop/stock-movements/page/ledger"))
const StockCount = split(() => import("../../shop/stock-movements/page/count/page"))
const ImportWizard = split(() => import("../../office/imports/page/page"))
const ImportRecord = split(() => import("../../office/imports/page/import"))
const Account = split(() => import("../../office/auth/page/account"))
const Limits = split(() => import("../../office/auth/page/limits"))
const ApiKeys = split(() => import("../../office/api-keys/page/list"))
const Company = split(() => import("../../trade/company/page/page"))
const TaxCodes = split(() => import("../../shop/tax-codes/page/list"))
const TaxCode = split(() => import("../../shop/tax-codes/page/tax-code"))
const Users = split(() => import("../../office/users/page/list"))
const Audit = split(() => import("../../office/audit/page/list"))
const Connections = split(() => import("../../office/oauth/page/connections"))
const OAuthClients = split(() => import("../../office/oauth/page/list"))
const Webhooks = split(() => import("../../office/webhooks/page/list"))
const Webhook = split(() => import("../../office/webhooks/page/webhook"))
const Backups = split(() => import("../../office/backups/page/page"))

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
