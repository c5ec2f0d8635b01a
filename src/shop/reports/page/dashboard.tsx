import { Grid, Stack } from "@mantine/core"
import { useRead } from "../../../console/api/hooks"
import type { Summary } from "../../../console/api/types"
import { Loaded } from "../../../console/parts/loaded"
import { Page } from "../../../console/parts/page"
import { t } from "../../../console/texts"
import { Figures } from "./figures"
import { FirstSteps, useFirstSteps } from "./first-steps"
import { LatestOrders } from "./latest-orders"
import { LowStock } from "./low-stock"
import { Panel } from "./panel"
import { QuickActions } from "./quick-actions"
import { Receivables } from "./receivables"
import { SalesChart } from "./sales-chart"
import { ToDo } from "./to-do"

/** An overview of the business. A shop without documents has only the checklist of its first steps. */
export default function Dashboard() {
  const query = useRead<Summary>("/reports/summary")
  const steps = useFirstSteps(query.data)
  const hasSteps = steps.some(({ isDone }) => !isDone)
  return (
    <Page title={t(($) => $.menu.dashboard)} actions={query.data && !isEmpty(query.data) && <QuickActions />}>
      <Loaded query={query}>
        {(summary) => (
          <Stack>
            {hasSteps && <FirstSteps steps={steps} />}
            {!isEmpty(summary) && <Overview summary={summary} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

/** True for a shop that has sold nothing yet. */
const isEmpty = ({ latestOrders, salesByMonth, counts }: Summary): boolean =>
  (latestOrders ?? []).length === 0 &&
  (counts.openInvoices ?? 0) === 0 &&
  (salesByMonth ?? []).every(({ invoiceCount }) => invoiceCount === 0)

const Overview = ({ summary }: { summary: Summary }) => (
  <>
    <Figures summary={summary} />
    <Grid>
      <Grid.Col span={{ base: 12, lg: 5 }} order={{ lg: 2 }}>
        <ToDo summary={summary} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }} order={{ lg: 1 }}>
        {summary.salesByMonth && (
          <Panel title={t(($) => $.dashboard.sales)}>
            <SalesChart months={summary.salesByMonth} currency={summary.currency} />
          </Panel>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }} order={3}>
        <LatestOrders summary={summary} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }} order={4}>
        {summary.receivables && (
          <Panel title={t(($) => $.dashboard.receivables)}>
            <Receivables buckets={summary.receivables.buckets} currency={summary.currency} />
          </Panel>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }} order={5}>
        <LowStock summary={summary} />
      </Grid.Col>
    </Grid>
  </>
)
