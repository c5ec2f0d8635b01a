import { Anchor, Group, Text } from "@mantine/core"
import { Link } from "wouter"
import { useList, useMay } from "../../../console/api/hooks"
import type { Summary } from "../../../console/api/types"
import { money, number } from "../../../console/format"
import { t } from "../../../console/texts"
import { Panel } from "./panel"

type Task = { label: string; count: number; note?: string; href: string }

/** What waits for the user. A task without a record is left out. */
export function ToDo({ summary }: { summary: Summary }) {
  const tasks = useTasks(summary)
  return (
    <Panel title={t(($) => $.dashboard.toDo)}>
      {tasks.length === 0 && <Text c="dimmed">{t(($) => $.dashboard.nothingToDo)}</Text>}
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

function useTasks({ receivables, lowStock, counts, currency }: Summary): Task[] {
  const may = useMay()
  const draftInvoices = useDrafts("invoices")
  const draftOrders = useDrafts("sales-orders")
  const overdue = receivables?.buckets.slice(1).reduce((sum, { count }) => sum + count, 0) ?? 0
  const tasks: (Task | false)[] = [
    {
      label: t(($) => $.dashboard.overdue),
      count: overdue,
      note: money(receivables?.overdue ?? 0, currency),
      href: "/invoices?status[in]=overdue",
    },
    may("invoices", "write") && {
      label: t(($) => $.dashboard.draftInvoices),
      count: draftInvoices,
      href: "/invoices?status[in]=draft",
    },
    may("sales-orders", "write") && {
      label: t(($) => $.dashboard.draftOrders),
      count: draftOrders,
      href: "/orders?status[in]=draft",
    },
    may("invoices", "write") && {
      label: t(($) => $.dashboard.ordersToInvoice),
      count: counts.openOrders ?? 0,
      href: "/orders?status[in]=submitted",
    },
    may("items", "read") && {
      label: t(($) => $.dashboard.itemsLow),
      count: lowStock?.count ?? 0,
      href: "/items?isLowStock=true&isActive=true",
    },
  ]
  return tasks.filter((task) => task !== false).filter(({ count }) => count > 0)
}

/** The number of drafts of a kind. */
function useDrafts(kind: "invoices" | "sales-orders"): number {
  const { data } = useList(kind, { status: "draft", perPage: "1", fields: "id" })
  return data?.pages[0]?.meta?.total ?? 0
}
