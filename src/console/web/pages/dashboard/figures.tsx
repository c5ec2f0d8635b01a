import { Anchor, Paper, SimpleGrid, Text } from "@mantine/core"
import { Link } from "wouter"
import type { Summary } from "../../api/types"
import { money, number } from "../../format"

type FigureProps = { label: string; value: string; href?: string }

/** The key figures. The summary contains only those that the user may view. */
export const Figures = ({ summary }: { summary: Summary }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }}>
    {figuresOf(summary).map((figure) => (
      <Figure key={figure.label} {...figure} />
    ))}
  </SimpleGrid>
)

function figuresOf({ salesByMonth, receivables, counts, currency }: Summary): FigureProps[] {
  const thisMonth = salesByMonth?.at(-1)
  const figures: (FigureProps | false | null | undefined)[] = [
    thisMonth && { label: "Invoiced this month", value: money(thisMonth.invoiced, currency) },
    thisMonth && { label: "Paid this month", value: money(thisMonth.paid, currency) },
    receivables && {
      label: "Outstanding balance",
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
  ]
  return figures.filter((figure) => figure !== null && figure !== undefined && figure !== false)
}

const Figure = ({ label, value, href }: FigureProps) => (
  <Paper withBorder p="md">
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
)
