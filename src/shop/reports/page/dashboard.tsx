import { inUnits, unitOf } from "../../../trade/page/in-words"
import {
  Anchor,
  Badge,
  Button,
  Grid,
  Group,
  List,
  Paper,
  Progress,
  Stack,
  Table,
  Text,
  Title,
  VisuallyHidden,
} from "@mantine/core"
import { useList, useMay, useMe, useRead } from "../../../console/api/hooks"
import type { Settings, Summary } from "../../../console/api/types"
import { Loaded, Page } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as invoiceTexts } from "../../invoices/page/texts"
import { t as orderTexts } from "../../sales-orders/page/texts"
import { Figures } from "./figures"
import { countOf, dueLists, hrefOf, openList } from "./lists"
import { SalesChart } from "./sales-chart"
import { later, startOfDay } from "../../../shared/dates"
import { useDisclosure } from "@mantine/hooks"
import { IconCircle, IconCircleCheck, IconPlus } from "../../../console/parts/icons"
import { Link } from "wouter"
import { PayInvoiceDialog } from "../../invoices/page/pay-invoice-dialog"
import { date, money, number } from "../../../console/format"
import { useIsNarrow } from "../../../console/lists/use-rows"
import { MailNotice } from "../../../office/mail/page/notice"
import { help } from "../../../console/shell/navigation"
import { StatusBadge } from "../../../console/parts/status-badge"
import type { ReactNode } from "react"

/** An overview of the business. A shop without documents has only the checklist of its first steps. */
export default function Dashboard() {
  const query = useRead<Summary>("/reports/summary")
  const steps = useFirstSteps(query.data)
  const hasSteps = steps.some(({ isDone }) => !isDone)
  return (
    <Page
      title={common(($) => $.menu.dashboard)}
      actions={query.data && !isEmpty(query.data) && <QuickActions />}
    >
      <Loaded query={query}>
        {(summary) => (
          <Stack>
            <MailNotice />
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
    <Stack gap={4}>
      <Figures summary={summary} />
      <Text size="xs" c="dimmed">
        {t(($) => $.withTax)}
      </Text>
    </Stack>
    <Grid>
      <Grid.Col span={{ base: 12, lg: 5 }} order={{ lg: 2 }}>
        <ToDo summary={summary} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }} order={{ lg: 1 }}>
        {summary.salesByMonth && (
          <Panel title={t(($) => $.sales)}>
            <SalesChart months={summary.salesByMonth} currency={summary.currency} />
          </Panel>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }} order={3}>
        <LatestOrders summary={summary} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }} order={4}>
        {summary.receivables && (
          <Panel title={t(($) => $.receivables)}>
            <Receivables buckets={summary.receivables.buckets} {...summary} />
          </Panel>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }} order={5}>
        <LowStock summary={summary} />
      </Grid.Col>
    </Grid>
  </>
)

/** What people do most often. */
function QuickActions() {
  const may = useMay()
  const [isPaying, { open, close }] = useDisclosure()
  return (
    <>
      {may("invoices", "write") && (
        <>
          <Button variant="default" onClick={open}>
            {invoiceTexts(($) => $.recordPayment)}
          </Button>
          <Button variant="default" component={Link} href="/invoices/new">
            {invoiceTexts(($) => $.new)}
          </Button>
        </>
      )}
      {may("sales-orders", "write") && (
        <Button component={Link} href="/orders/new" leftSection={<IconPlus size={16} />}>
          {orderTexts(($) => $.new)}
        </Button>
      )}
      {isPaying && <PayInvoiceDialog onClose={close} />}
    </>
  )
}

type Buckets = NonNullable<Summary["receivables"]>["buckets"]

const ages: Record<string, { name: string; colour: string }> = {
  notDue: { name: t(($) => $.notDue), colour: "teal.5" },
  "1-30": { name: t(($) => $.overdueTo30), colour: "yellow.6" },
  "31-60": { name: t(($) => $.overdueTo60), colour: "orange.6" },
  "61-90": { name: t(($) => $.overdueTo90), colour: "red.6" },
  over90: { name: t(($) => $.overdueOver90), colour: "red.9" },
}

/** The outstanding amounts by age, each with a bar relative to the largest amount. */
type ReceivablesProps = Pick<Summary, "currency" | "today"> & { buckets: Buckets }

function Receivables({ buckets, currency, today }: ReceivablesProps) {
  const lists = dueLists(today)
  const largest = Math.max(...buckets.map(({ amount }) => amount), 0.01)
  return (
    <Stack gap="md">
      {buckets.map(({ label, amount, count }) => (
        <div key={label}>
          <Group justify="space-between" gap="sm" mb={4}>
            <Text size="sm">
              {ages[label]?.name ?? label}
              {count > 0 && ` (${number(count)})`}
            </Text>
            <Anchor
              component={Link}
              href={hrefOf(lists[label] ?? openList)}
              size="sm"
              className="figures"
              aria-label={`${ages[label]?.name ?? label}: ${money(amount, currency)}`}
            >
              {money(amount, currency)}
            </Anchor>
          </Group>
          <Progress value={(100 * amount) / largest} color={ages[label]?.colour} size="lg" aria-hidden />
        </div>
      ))}
    </Stack>
  )
}

function LowStock({ summary: { lowStock } }: { summary: Summary }) {
  const may = useMay()
  if (!lowStock || !may("items", "read")) return null
  return (
    <Panel
      title={t(($) => $.lowStock)}
      badge={
        lowStock.count > 0 && (
          <Badge color="orange" variant="light">
            {number(lowStock.count)}
          </Badge>
        )
      }
      more={{ href: "/items?isLowStock=true&isActive=true", label: t(($) => $.allLowStock) }}
    >
      {lowStock.count === 0 && <Text c="dimmed">{t(($) => $.noLowStock)}</Text>}
      {lowStock.items.map(({ id, itemName, availableStock, reorderLevel, uom }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="md" py={4}>
          <Anchor component={Link} href={`/items/${id}`} size="sm" truncate>
            {itemName}
          </Anchor>
          <Text size="sm" className="figures" style={{ whiteSpace: "nowrap" }}>
            {reorderLevel > 0
              ? t(($) => $.reorderAt, {
                  quantity: number(availableStock),
                  unit: unitOf(uom, availableStock),
                  level: number(reorderLevel),
                })
              : inUnits(availableStock, uom)}
          </Text>
        </Group>
      ))}
    </Panel>
  )
}

type Task = { label: string; count: number; note?: string; href: string }

/** What waits for the user. A task without a record is left out. */
function ToDo({ summary }: { summary: Summary }) {
  const tasks = useTasks(summary)
  return (
    <Panel title={t(($) => $.toDo)}>
      {tasks.length === 0 && <Text c="dimmed">{t(($) => $.nothingToDo)}</Text>}
      {tasks.map(({ label, count, note, href }) => (
        <Group key={href} justify="space-between" wrap="nowrap" gap="md" py={6}>
          <Anchor component={Link} href={href} size="sm">
            {label}
          </Anchor>
          <Text size="sm" className="figures" style={{ whiteSpace: "nowrap" }}>
            {number(count)}
            {note && ` · ${note}`}
          </Text>
        </Group>
      ))}
    </Panel>
  )
}

function useTasks({ receivables, lowStock, counts, currency, today }: Summary): Task[] {
  const may = useMay()
  const draftInvoices = useCount("invoices")
  const draftOrders = useCount("sales-orders")
  const toOrder = useCount("quotations", "accepted", { "salesOrder[null]": "true" })
  const overdue = countOf(receivables?.buckets.slice(1) ?? [])
  const tasks: (Task | false)[] = [
    {
      label: t(($) => $.overdue),
      count: overdue,
      note: money(receivables?.overdue ?? 0, currency),
      href: hrefOf(dueLists(today).overdue ?? openList),
    },
    may("sales-orders", "write") && {
      label: t(($) => $.quotationsToOrder),
      count: toOrder,
      href: "/quotations?status[in]=accepted&salesOrder[null]=true",
    },
    may("invoices", "write") && {
      label: t(($) => $.draftInvoices),
      count: draftInvoices,
      href: "/invoices?status[in]=draft",
    },
    may("sales-orders", "write") && {
      label: t(($) => $.draftOrders),
      count: draftOrders,
      href: "/orders?status[in]=draft",
    },
    may("invoices", "write") && {
      label: t(($) => $.ordersToInvoice),
      count: counts.openOrders ?? 0,
      href: "/orders?status[in]=submitted",
    },
    may("invoices", "write") && {
      label: t(($) => $.dueReminders),
      count: counts.dueReminders ?? 0,
      href: "/reminders",
    },
    {
      label: t(($) => $.recurringProblems),
      count: counts.recurringProblems ?? 0,
      href: "/recurring-invoices?needsAttention=true",
    },
    {
      label: t(($) => $.recurringSkipped),
      count: counts.recurringSkipped ?? 0,
      href: `/recurring-invoices?lastSkippedAt[gte]=${later(startOfDay(today), -30 * 86_400_000)}`,
    },
    {
      label: t(($) => $.failedMessages),
      count: counts.failedMessages ?? 0,
      href: "/messages?status[in]=failed",
    },
    {
      label: t(($) => $.uncertainMessages),
      count: counts.uncertainMessages ?? 0,
      href: "/messages?status[in]=uncertain",
    },
    may("items", "read") && {
      label: t(($) => $.itemsLow),
      count: lowStock?.count ?? 0,
      href: "/items?isLowStock=true&isActive=true",
    },
  ]
  return tasks.filter((task) => task !== false).filter(({ count }) => count > 0)
}

/** The number of documents of a kind in a status. */
function useCount(kind: "invoices" | "sales-orders" | "quotations", status = "draft", more = {}): number {
  const { data } = useList(kind, { status, ...more, perPage: "1", fields: "id" })
  return data?.pages[0]?.meta?.total ?? 0
}

type Props = { orders: NonNullable<Summary["latestOrders"]>; currency: string }

function LatestOrders({ summary: { latestOrders, currency } }: { summary: Summary }) {
  const isNarrow = useIsNarrow()
  if (!latestOrders) return null
  const Orders = isNarrow ? Lines : Rows
  return (
    <Panel
      title={orderTexts(($) => $.latest)}
      more={{ href: "/orders", label: orderTexts(($) => $.allLatest) }}
    >
      {latestOrders.length === 0 ? (
        <Text c="dimmed">{common(($) => $.kinds["sales-orders"].noneYet)}</Text>
      ) : (
        <Orders orders={latestOrders} currency={currency} />
      )}
    </Panel>
  )
}

const OrderLink = ({ id, number }: { id: string; number: string }) => (
  <Anchor component={Link} href={`/orders/${id}`} size="sm">
    {number}
  </Anchor>
)

/** Two lines per order, as in the lists on a phone. */
const Lines = ({ orders, currency }: Props) => (
  <ul className="phone-list" aria-label={orderTexts(($) => $.latest)}>
    {orders.map(({ id, orderNumber, customerName, status, orderDate, total }) => (
      <li key={id}>
        <div className="phone-lines">
          <div className="phone-line">
            <OrderLink id={id} number={orderNumber} />
            <Text span size="sm" className="figures" style={{ whiteSpace: "nowrap" }}>
              {money(total, currency)}
            </Text>
          </div>
          <Text size="sm" c="dimmed" component="div" truncate>
            {date(orderDate)} · <StatusBadge status={status} /> · {customerName}
          </Text>
        </div>
      </li>
    ))}
  </ul>
)

const Rows = ({ orders, currency }: Props) => (
  <Table.ScrollContainer
    minWidth={420}
    scrollAreaProps={{
      // The panel around it is a landmark with this name.
      viewportProps: { tabIndex: 0, role: "group", "aria-label": orderTexts(($) => $.latest) },
    }}
  >
    <Table verticalSpacing={6}>
      <Table.Tbody>
        {orders.map(({ id, orderNumber, customerName, status, orderDate, total }) => (
          <Table.Tr key={id}>
            <Table.Td className="whole">
              <OrderLink id={id} number={orderNumber} />
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
)

type PanelProps = {
  title: string
  badge?: ReactNode
  /** The list of all records, and what a screen reader calls the link to it. */
  more?: { href: string; label: string }
  children: ReactNode
}

/** A section of the dashboard, with a title. */
const Panel = ({ title, badge, more, children }: PanelProps) => (
  <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
    <Group justify="space-between" mb="sm">
      <Group gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {badge}
      </Group>
      {more && (
        <Anchor component={Link} href={more.href} size="sm" aria-label={more.label}>
          {common(($) => $.common.viewAll)}
        </Anchor>
      )}
    </Group>
    {children}
  </Paper>
)

type Step = { text: string; href: string; isDone: boolean }

/** The steps from an empty shop to the first invoice, for the rights of the user. Each is ticked when it is done. */
function useFirstSteps(summary: Summary | undefined): Step[] {
  const may = useMay()
  const { company } = useMe()
  // The summary counts issued invoices only.
  const mayReadInvoices = may("invoices", "read")
  const { data: invoices = [] } = useRead<unknown[]>("/invoices?perPage=1&fields=id", mayReadInvoices)
  const isAdmin = may("administration", "admin")
  const { data: settings } = useRead<Settings>("/settings", isAdmin)
  if (!summary) return []
  const { counts, latestOrders } = summary
  const steps: (Step | false)[] = [
    isAdmin && {
      text: settings?.setUpStep
        ? t(($) => $.goOnWithSetUp, {
            step: common(($) => $.values.setUpStep[settings.setUpStep ?? "company"]),
          })
        : t(($) => $.addCompany),
      href: "/settings/set-up",
      isDone: Boolean(company.name || settings?.legalName || settings?.address) && !settings?.setUpStep,
    },
    may("items", "write") && {
      text: t(($) => $.addItem),
      href: "/items/new",
      isDone: counts.items !== 0,
    },
    may("customers", "write") && {
      text: t(($) => $.addCustomer),
      href: "/customers/new",
      isDone: counts.customers !== 0,
    },
    may("sales-orders", "write") && {
      text: t(($) => $.createOrder),
      href: "/orders/new",
      isDone: latestOrders?.length !== 0,
    },
    may("invoices", "write") && {
      text: t(($) => $.createInvoice),
      href: "/invoices/new",
      isDone: invoices.length > 0,
    },
  ]
  return steps.filter((step) => step !== false)
}

/** The checklist of a new shop. */
const FirstSteps = ({ steps }: { steps: Step[] }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
    <Group justify="space-between" mb="sm">
      <Title order={2} size="h5" id="first-steps">
        {t(($) => $.getStarted)}
      </Title>
      <Text size="sm" c="dimmed">
        {t(($) => $.stepsDone, {
          done: number(steps.filter(({ isDone }) => isDone).length),
          steps: number(steps.length),
        })}
      </Text>
    </Group>
    <List spacing="sm" listStyleType="none">
      {steps.map((step) => (
        <FirstStep key={step.href} {...step} />
      ))}
    </List>
    <Anchor href={help.href} target="_blank" rel="noreferrer" size="sm" mt="md" display="inline-block">
      {t(($) => $.guide)}
    </Anchor>
  </Paper>
)

const FirstStep = ({ text, href, isDone }: Step) => (
  <List.Item
    icon={
      isDone ? (
        <IconCircleCheck size={20} color="var(--mantine-color-teal-7)" aria-hidden />
      ) : (
        <IconCircle size={20} color="var(--mantine-color-dimmed)" aria-hidden />
      )
    }
  >
    {isDone ? (
      <Text c="dimmed" td="line-through">
        <VisuallyHidden>{t(($) => $.stepDone)} </VisuallyHidden>
        {text}
      </Text>
    ) : (
      <Anchor component={Link} href={href}>
        {text}
      </Anchor>
    )}
  </List.Item>
)
