import { Grid, Stack } from "@mantine/core"
import { useRead } from "../api/hooks"
import type { Summary } from "../api/types"
import { Loaded } from "../parts/loaded"
import { Page } from "../parts/page"
import { split } from "../parts/split"
import { Figures } from "./dashboard/figures"
import { FirstSteps } from "./dashboard/first-steps"
import { LatestOrders } from "./dashboard/latest-orders"
import { LowStock } from "./dashboard/low-stock"
import { Panel } from "./dashboard/panel"
import { Receivables } from "./dashboard/receivables"

const SalesChart = split(() => import("./dashboard/sales-chart"), 260)

/** An overview of the business. */
export default function Dashboard() {
  const query = useRead<Summary>("/reports/summary")
  return (
    <Page title="Dashboard">
      <Loaded query={query}>
        {(summary) => (
          <Stack>
            <FirstSteps counts={summary.counts} />
            <Figures summary={summary} />
            <Grid>
              <Grid.Col span={{ base: 12, lg: 7 }}>
                {summary.salesByMonth && (
                  <Panel title="Sales by month">
                    <SalesChart months={summary.salesByMonth} currency={summary.currency} />
                  </Panel>
                )}
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                {summary.receivables && (
                  <Panel title="Receivables by age">
                    <Receivables buckets={summary.receivables.buckets} currency={summary.currency} />
                  </Panel>
                )}
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <LatestOrders summary={summary} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <LowStock summary={summary} />
              </Grid.Col>
            </Grid>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
