import { Route, Switch } from "wouter"
import { folders, type Pages as FolderPages } from "../folders"
import { NotFound } from "../parts/page"
import { split } from "./split"

const Dashboard = split(() => import("../../shop/reports/page/dashboard"))
const Reports = split(() => import("../../shop/reports/page/reports"))
const SetUp = split(() => import("../../shop/set-up/page/page"))
const ImportWizard = split(() => import("../../office/imports/page/page"))
const ImportRecord = split(() => import("../../office/imports/page/import"))
const Account = split(() => import("../../office/auth/page/account"))
const Limits = split(() => import("../../office/auth/page/limits"))
const ApiKeys = split(() => import("../../office/api-keys/page/list"))
const Company = split(() => import("../../trade/company/page/page"))
const Users = split(() => import("../../office/users/page/list"))
const Audit = split(() => import("../../office/audit/page/list"))
const Connections = split(() => import("../../office/oauth/page/connections"))
const OAuthClients = split(() => import("../../office/oauth/page/list"))
const Webhooks = split(() => import("../../office/webhooks/page/list"))
const Webhook = split(() => import("../../office/webhooks/page/webhook"))
const Mail = split(() => import("../../office/mail/page/server/page"))
const Messages = split(() => import("../../office/mail/page/list"))
const Message = split(() => import("../../office/mail/page/message"))
const Backups = split(() => import("../../office/backups/page/page"))

/** The pages of the features. */
const featureRoutes = (
  <>
    <Route path="/" component={Dashboard} />
    <Route path="/reports" component={Reports} />
    <Route path="/import" component={ImportWizard} />
    <Route path="/import/:id">{({ id }) => <ImportRecord key={id} id={id} />}</Route>
    <Route path="/settings/set-up">{() => <SetUp />}</Route>
    <Route path="/settings/set-up/:step">{({ step }) => <SetUp key={step} step={step} />}</Route>
    <Route path="/settings/account" component={Account} />
    <Route path="/settings/api-keys" component={ApiKeys} />
    <Route path="/settings/limits" component={Limits} />
    <Route path="/settings/connections" component={Connections} />
    <Route path="/settings/company" component={Company} />
    <Route path="/settings/users" component={Users} />
    <Route path="/settings/oauth-clients" component={OAuthClients} />
    <Route path="/settings/webhooks" component={Webhooks} />
    <Route path="/settings/webhooks/:id">{({ id }) => <Webhook key={id} id={id} />}</Route>
    <Route path="/settings/mail" component={Mail} />
    <Route path="/messages" component={Messages} />
    <Route path="/messages/:id">{({ id }) => <Message key={id} id={id} />}</Route>
    <Route path="/settings/audit" component={Audit} />
    <Route path="/settings/backups" component={Backups} />
  </>
)

/** The list and the record of each kind that has a page.tsx. */
const kindRoutes = Object.values(folders).flatMap(({ path, page }) => (page ? routesOf(path, page) : []))

function routesOf(path: string, page: () => Promise<FolderPages>) {
  const List = split(async () => ({ default: (await page()).List }))
  const Record = split(async () => ({ default: (await page()).Record }))
  return [
    <Route key={path} path={path} component={List} />,
    <Route key={`${path}/:id`} path={`${path}/:id`}>
      {({ id = "" }: { id?: string }) => <Record key={id} id={id} />}
    </Route>,
  ]
}

/** All pages and their paths, below /console. Each page loads when it is first opened; /new creates a record. */
export const Pages = () => (
  <Switch>
    {featureRoutes}
    {kindRoutes}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)
