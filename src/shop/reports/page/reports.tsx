import { Anchor, Group, Stack, Table, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useMay, useRead } from "../../../console/api/hooks"
import type { Summary } from "../../../console/api/types"
import { money, month, number } from "../../../console/format"
import { useIsNarrow } from "../../../console/lists/use-rows"
import { Loaded, Page, Section } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { monthFigures } from "./lists"
import { ageLink, type SalesFigure, salesLink } from "./report-links"
import { t } from "./reports-texts"
import { t as dashboard } from "./texts"

/** The figures of the shop in tables. Each figure opens the list that it sums. */
export default function Reports() {
  const query = useRead<Summary>("/reports/summary")
  return (
    <Page title={common(($) => $.menu.groups.reports)}>
      <Loaded query={query}>
        {(summary) => (
          <Stack maw={960}>
            <Text size="sm">{t(($) => $.intro)}</Text>
            <Sales summary={summary} />
            <Receivables summary={summary} />
            <Stock summary={summary} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

type Props = { summary: Summary }

const figures = ["ordered", "invoiced", "credited", "paid"] as const

/** The sales by month, the newest first. */
function Sales({ summary: { salesByMonth, currency } }: Props) {
  const months = (salesByMonth ?? [])
    .map((each) => ({ month: each.month, ...monthFigures(each) }))
    .toReversed()
  const [newest, oldest] = [months[0], months.at(-1)]
  if (!newest || !oldest) return null
  const sumOf = (figure: SalesFigure) => months.reduce((sum, each) => sum + each[figure], 0)
  const cell = (figure: SalesFigure, amount: number, from: string, to: string, when: string) => (
    <FigureCell
      key={figure}
      href={salesLink(figure, from, to)}
      what={t(($) => $[figure])}
      when={when}
      figure={money(amount, currency)}
      isEmpty={amount === 0}
    />
  )
  const isNarrow = useIsNarrow()
  if (isNarrow)
    return (
      <FigureTable title={t(($) => $.sales)} columns={[dashboard(($) => $.month), t(($) => $.amount)]}>
        {months.map(({ month: name, ...sums }) => (
          <FigureGroup
            key={name}
            title={month(name)}
            rows={figures.map((figure) => [
              titleOf(figure),
              cell(figure, sums[figure], name, name, month(name)),
            ])}
          />
        ))}
        <FigureGroup
          title={t(($) => $.sum)}
          rows={figures.map((figure) => [
            titleOf(figure),
            cell(
              figure,
              sumOf(figure),
              oldest.month,
              newest.month,
              t(($) => $.sum),
            ),
          ])}
        />
      </FigureTable>
    )
  return (
    <FigureTable title={t(($) => $.sales)} columns={[dashboard(($) => $.month), ...figures.map(titleOf)]}>
      <Table.Tbody>
        {months.map(({ month: name, ...sums }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} style={{ whiteSpace: "nowrap" }}>
              {month(name)}
            </Table.Th>
            {figures.map((figure) => cell(figure, sums[figure], name, name, month(name)))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th scope="row">{t(($) => $.sum)}</Table.Th>
          {figures.map((figure) =>
            cell(
              figure,
              sumOf(figure),
              oldest.month,
              newest.month,
              t(($) => $.sum),
            ),
          )}
        </Table.Tr>
      </Table.Tfoot>
    </FigureTable>
  )
}

const titleOf = (figure: SalesFigure): string => t(($) => $[figure])

const ages: Record<string, string> = {
  notDue: dashboard(($) => $.notDue),
  "1-30": dashboard(($) => $.overdueTo30),
  "31-60": dashboard(($) => $.overdueTo60),
  "61-90": dashboard(($) => $.overdueTo90),
  over90: dashboard(($) => $.overdueOver90),
}

/** What customers owe, by the days past the due date. */
function Receivables({ summary: { receivables, currency, today } }: Props) {
  if (!receivables) return null
  const count = receivables.buckets.reduce((sum, each) => sum + each.count, 0)
  return (
    <FigureTable
      title={t(($) => $.receivables)}
      columns={[t(($) => $.age), t(($) => $.invoiced), t(($) => $.open)]}
    >
      <Table.Tbody>
        {receivables.buckets.map(({ label, amount, count: invoices }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400}>
              {ages[label] ?? label}
            </Table.Th>
            <Table.Td className="right">{number(invoices)}</Table.Td>
            <FigureCell
              href={ageLink(label, today)}
              what={t(($) => $.open)}
              when={ages[label] ?? label}
              figure={money(amount, currency)}
              isEmpty={invoices === 0}
            />
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th scope="row">{t(($) => $.sum)}</Table.Th>
          <Table.Td className="right">{number(count)}</Table.Td>
          <FigureCell
            href="/invoices?balance[gt]=0&status[in]=unpaid,partially_paid,credited"
            what={t(($) => $.open)}
            when={t(($) => $.sum)}
            figure={money(receivables.total, currency)}
            isEmpty={count === 0}
          />
        </Table.Tr>
      </Table.Tfoot>
    </FigureTable>
  )
}

function Stock({ summary: { lowStock } }: Props) {
  const may = useMay()
  if (!lowStock || !may("items", "read")) return null
  return (
    <Section title={t(($) => $.stock)}>
      <Group justify="space-between" maw={480}>
        <Text size="sm">{t(($) => $.low)}</Text>
        <Anchor component={Link} href="/items?isLowStock=true&isActive=true" size="sm" className="figures">
          {number(lowStock.count)}
        </Anchor>
      </Group>
      <Group gap="lg">
        <Anchor component={Link} href="/stock" size="sm">
          {t(($) => $.allStock)}
        </Anchor>
        {may("stock", "write") && (
          <Anchor component={Link} href="/stock/count" size="sm">
            {t(($) => $.count)}
          </Anchor>
        )}
      </Group>
    </Section>
  )
}

type FigureTableProps = { title: string; columns: string[]; children: ReactNode }

/** A table whose first column says what a row is about. */
const FigureTable = ({ title, columns: [first, ...others], children }: FigureTableProps) => (
  <Section title={title}>
    <div role="region" aria-label={title}>
      <Table verticalSpacing={6} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{first}</Table.Th>
            {others.map((column) => (
              <Table.Th key={column} className="right">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {children}
      </Table>
    </div>
  </Section>
)

type FigureGroupProps = { title: string; rows: (readonly [string, ReactNode])[] }

/** The figures of a month below each other, for a phone, which has no room for them beside each other. */
const FigureGroup = ({ title, rows }: FigureGroupProps) => (
  <Table.Tbody>
    <Table.Tr>
      <Table.Th scope="rowgroup" colSpan={2}>
        {title}
      </Table.Th>
    </Table.Tr>
    {rows.map(([name, cell]) => (
      <Table.Tr key={name}>
        <Table.Th scope="row" fw={400}>
          {name}
        </Table.Th>
        {cell}
      </Table.Tr>
    ))}
  </Table.Tbody>
)

type FigureCellProps = { href: string; what: string; when: string; figure: string; isEmpty: boolean }

/** A figure that opens its list. One of nothing opens none. */
const FigureCell = ({ href, what, when, figure, isEmpty }: FigureCellProps) => (
  <Table.Td className="right">
    {isEmpty ? (
      <Text span size="sm" c="dimmed">
        {figure}
      </Text>
    ) : (
      <Anchor component={Link} href={href} size="sm" aria-label={`${what}, ${when}: ${figure}`}>
        {figure}
      </Anchor>
    )}
  </Table.Td>
)
