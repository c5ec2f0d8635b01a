import { Paper, SimpleGrid, Text } from "@mantine/core"
import { IconArrowDownRight, IconArrowUpRight } from "../../../console/parts/icons"
import { Link } from "wouter"
import type { Summary } from "../../../console/api/types"
import { money, number } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { statusName } from "../../../console/texts/fields"
import { countOf, dueLists, hrefOf, monthFigures, monthLists, openList } from "./lists"
import { t } from "./texts"

type FigureProps = {
  label: string
  value: string
  /** The list that the figure is calculated from. */
  href: string
  /** This month and the last one. */
  change?: { now: number; before: number }
  /** A remark instead of the change. */
  note?: string
}

/** The key figures. The summary contains only those that the user may view. */
export const Figures = ({ summary }: { summary: Summary }) => (
  <SimpleGrid cols={{ base: 2, lg: 5 }} spacing={{ base: "xs", sm: "md" }}>
    {[...figuresOfMonth(summary), ...openFigures(summary)].map((figure) => (
      <Figure key={figure.label} {...figure} />
    ))}
  </SimpleGrid>
)

function figuresOfMonth({ salesByMonth, latestOrders, currency }: Summary): FigureProps[] {
  const [last, current] = salesByMonth?.slice(-2) ?? []
  if (!last || !current) return []
  const [before, now] = [monthFigures(last), monthFigures(current)]
  const figure = (label: string, part: "ordered" | "invoiced" | "paid"): FigureProps => ({
    label,
    value: money(now[part], currency),
    href: hrefOf(monthLists[part](current.month)),
    change: { now: now[part], before: before[part] },
  })
  const invoiced = figure(
    t(($) => $.invoicedThisMonth),
    "invoiced",
  )
  return [
    ...(latestOrders
      ? [
          figure(
            t(($) => $.orderedThisMonth),
            "ordered",
          ),
        ]
      : []),
    { ...invoiced, ...creditedNote(now.credited, currency) },
    figure(
      t(($) => $.paidThisMonth),
      "paid",
    ),
  ]
}

/** What was credited in the month, which is not subtracted from what was invoiced. */
const creditedNote = (credited: number, currency: string): Pick<FigureProps, "note"> =>
  credited > 0 ? { note: t(($) => $.creditedThisMonth, { amount: money(credited, currency) }) } : {}

function openFigures({ receivables, currency, today }: Summary): FigureProps[] {
  if (!receivables) return []
  const [open, overdue] = [countOf(receivables.buckets), countOf(receivables.buckets.slice(1))]
  return [
    {
      label: common(($) => $.fields.outstandingBalance),
      value: money(receivables.total, currency),
      href: hrefOf(openList),
      note: t(($) => $.openInvoices, {
        count: open,
        shown: number(open),
      }),
    },
    {
      label: statusName("overdue"),
      value: money(receivables.overdue, currency),
      href: hrefOf(dueLists(today).overdue ?? openList),
      note: t(($) => $.overdueInvoices, { count: overdue, shown: number(overdue) }),
    },
  ]
}

/** The whole card is a link to the list behind its figure. */
const Figure = ({ label, value, href, change, note }: FigureProps) => (
  <Paper withBorder p={{ base: "sm", sm: "md" }} component={Link} href={href} className="card-link">
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text fz={{ base: "lg", sm: "xl" }} fw={650} className="figures" style={{ overflowWrap: "anywhere" }}>
      {value}
    </Text>
    {change && <Change {...change} />}
    {note && (
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    )}
  </Paper>
)

/** The change of a figure on the whole of last month. */
function Change({ now, before }: { now: number; before: number }) {
  if (before === 0)
    return (
      <Text size="xs" c="dimmed">
        {t(($) => $.nothingLastMonth)}
      </Text>
    )
  const percent = Math.round((100 * (now - before)) / before)
  const Icon = percent < 0 ? IconArrowDownRight : IconArrowUpRight
  return (
    <Text size="xs" c="dimmed">
      {percent !== 0 && <Icon size={14} style={{ verticalAlign: "text-bottom" }} aria-hidden />}
      {t(($) => $.onLastMonth, {
        change: `${percent < 0 ? "−" : "+"}${number(Math.abs(percent))}`,
      })}
    </Text>
  )
}
