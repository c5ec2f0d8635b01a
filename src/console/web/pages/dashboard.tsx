import { Grid, Stack, Text } from "@mantine/core"
import { lazy, Suspense } from "react"
import { useRead } from "../api/hooks"
import type { Summary } from "../api/types"
import { Loaded } from "../parts/loaded"
import { Page } from "../parts/page"
import { Figures } from "./dashboard/figures"
import { FirstSteps } from "./dashboard/first-steps"
import { LatestOrders } from "./dashboard/latest-orders"
import { LowStock } from "./dashboard/low-stock"
import { Panel } from "./dashboard/panel"
import { Receivables } from "./dashboard/receivables"

const SalesChart = lazy(() => import("./dashboard/sales-chart"))

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
                    <Suspense fallback={<Text c="dimmed">Loading…</Text>}>
                      <SalesChart months={summary.salesByMonth} currency={summary.currency} />
                    </Suspense>
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
