import { Anchor, Badge, Grid, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core"
import { lazy, Suspense, type ReactNode } from "react"
import { Link } from "wouter"
import { useMay, useRead } from "../api/hooks"
import type { Summary } from "../api/types"
import { date, money, number } from "../format"
import { Loaded } from "../parts/loaded"
import { Page } from "../parts/page"
import { StatusBadge } from "../parts/status-badge"
import { FirstSteps } from "./dashboard/first-steps"
import { Receivables } from "./dashboard/receivables"

const SalesChart = lazy(() => import("./dashboard/sales-chart"))

/** How the shop is doing, at a glance. */
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
                    <Suspense fallback={<Text c="dimmed">Drawing…</Text>}>
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

function Figures({ summary: { salesByMonth, receivables, counts, currency } }: { summary: Summary }) {
  const thisMonth = salesByMonth?.at(-1)
  const figures = [
    thisMonth && { label: "Invoiced this month", value: money(thisMonth.invoiced, currency) },
    thisMonth && { label: "Paid this month", value: money(thisMonth.paid, currency) },
    receivables && {
      label: "Owed to you",
      value: money(receivables.total, currency),
      href: "/invoices?status[in]=unpaid,partially_paid",
    },
    receivables && {
      label: "Overdue",
      value: money(receivables.overdue, currency),
      href: "/invoices?status[in]=overdue",
    },
    counts.openOrders !== null && {
      label: "Open orders",
      value: number(counts.openOrders),
      href: "/orders?status[in]=submitted",
    },
  ].filter((figure) => figure !== null && figure !== undefined && figure !== false)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }}>
      {figures.map(({ label, value, href }: { label: string; value: string; href?: string }) => (
        <Paper key={label} withBorder p="md">
          <Text size="sm" c="dimmed">
            {href ? (
              <Anchor component={Link} href={href} inherit>
                {label}
              </Anchor>
            ) : (
              label
            )}
          </Text>
          <Text size="xl" fw={650} className="figures">
            {value}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

function LatestOrders({ summary: { latestOrders, currency } }: { summary: Summary }) {
  if (!latestOrders) return null
  return (
    <Panel title="Latest orders" more="/orders">
      {latestOrders.length === 0 && <Text c="dimmed">No order yet.</Text>}
      <Table.ScrollContainer
        minWidth={420}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Latest orders" } }}
      >
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {latestOrders.map(({ id, orderNumber, customerName, status, orderDate, total }) => (
              <Table.Tr key={id}>
                <Table.Td className="whole">
                  <Anchor component={Link} href={`/orders/${id}`} size="sm">
                    {orderNumber}
                  </Anchor>
                </Table.Td>
                <Table.Td>{customerName}</Table.Td>
                <Table.Td className="whole">{date(orderDate)}</Table.Td>
                <Table.Td>
                  <StatusBadge status={status} />
                </Table.Td>
                <Table.Td className="right">{money(total, currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}

function LowStock({ summary: { lowStock } }: { summary: Summary }) {
  const may = useMay()
  if (!lowStock || !may("items", "read")) return null
  return (
    <Panel
      title="Low stock"
      badge={
        lowStock.count > 0 && (
          <Badge color="orange" variant="light">
            {number(lowStock.count)}
          </Badge>
        )
      }
      more="/items?isLowStock=true&isActive=true"
    >
      {lowStock.count === 0 && <Text c="dimmed">Everything is in good supply.</Text>}
      {lowStock.items.map(({ id, itemName, availableStock, reorderLevel, uom }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="md" py={4}>
          <Anchor component={Link} href={`/items/${id}`} size="sm" truncate>
            {itemName}
          </Anchor>
          <Text size="sm" className="figures" style={{ whiteSpace: "nowrap" }}>
            {number(availableStock)} of {number(reorderLevel)} {uom}
          </Text>
        </Group>
      ))}
    </Panel>
  )
}

type PanelProps = { title: string; badge?: ReactNode; more?: string; children: ReactNode }

const Panel = ({ title, badge, more, children }: PanelProps) => (
  <Paper withBorder p="md" h="100%">
    <Group justify="space-between" mb="sm">
      <Group gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {badge}
      </Group>
      {more && (
        <Anchor component={Link} href={more} size="sm" aria-label={`All: ${title.toLowerCase()}`}>
          All
        </Anchor>
      )}
    </Group>
    {children}
  </Paper>
)
