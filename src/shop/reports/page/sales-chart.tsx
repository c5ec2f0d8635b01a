import { Anchor, Group, Table, Text, VisuallyHidden } from "@mantine/core"
import { useElementSize } from "@mantine/hooks"
import { useState, type KeyboardEvent, type MouseEvent } from "react"
import type { Summary } from "../../../console/api/types"
import { compactMoney, money, month } from "../../../console/format"
import { statusName } from "../../../console/texts/fields"
import { Link } from "wouter"
import { hrefOf, monthFigures, monthLists } from "./lists"
import { t } from "./texts"
import { stepOfLabels, ticksOf, widthOf } from "./chart-scale"

type Row = { key: string; month: string } & ReturnType<typeof monthFigures>
type Props = { months: NonNullable<Summary["salesByMonth"]>; currency: string }

const series = ["invoiced", "paid"] as const
const nameOf = (each: (typeof series)[number]): string => statusName(each)

/** The invoiced and paid amounts per month, as a chart and as a table, whose figures open what they add up. */
export function SalesChart({ months, currency }: Props) {
  const rows = months.map((each) => ({ key: each.month, month: month(each.month), ...monthFigures(each) }))
  return (
    <>
      <Group justify="flex-end" gap="md" mb="xs" aria-hidden>
        {series.map((each) => (
          <Text key={each} span size="sm">
            <span className={`chart-dot chart-${each}`} /> {nameOf(each)}
          </Text>
        ))}
      </Group>
      <Chart rows={rows} currency={currency} />
      <details className="chart-figures">
        <summary>{t(($) => $.salesFigures)}</summary>
        <Table.ScrollContainer
          minWidth={340}
          scrollAreaProps={{
            viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.salesFigures) },
          }}
        >
          <SalesTable rows={rows} currency={currency} />
        </Table.ScrollContainer>
      </details>
    </>
  )
}

/** Shows the values of the month under the pointer. With the focus, the arrow keys choose the month. */
function Chart({ rows, currency }: { rows: Row[]; currency: string }) {
  const { ref, width } = useElementSize()
  const [chosen, setChosen] = useState<number | null>(null)
  const plot = plotOf(rows, width, currency)
  const last = rows.length - 1
  const point = (event: MouseEvent<SVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    setChosen(Math.min(last, Math.max(0, Math.floor((x - plot.left) / plot.column))))
  }
  const press = (event: KeyboardEvent) => {
    const to = { ArrowLeft: (chosen ?? last) - 1, ArrowRight: (chosen ?? last) + 1, Home: 0, End: last }[
      event.key
    ]
    if (event.key === "Escape") setChosen(null)
    if (to === undefined) return
    event.preventDefault()
    setChosen(Math.min(last, Math.max(0, to)))
  }
  const row = chosen === null ? undefined : rows[chosen]
  return (
    <div ref={ref} className="chart">
      <svg
        role="img"
        aria-label={t(($) => $.sales)}
        tabIndex={0}
        height={height}
        onMouseMove={point}
        onMouseLeave={() => setChosen(null)}
        onFocus={() => setChosen((before) => before ?? last)}
        onBlur={() => setChosen(null)}
        onKeyDown={press}
      >
        {width > 0 && <Plot rows={rows} plot={plot} chosen={chosen} currency={currency} />}
      </svg>
      {row && <Values row={row} at={plot.middleOf(chosen ?? 0) / width} currency={currency} />}
    </div>
  )
}

const height = 220
/** The space above the bars for half a label, and below them for the months. */
const top = 8
const bottom = height - 28

type Plot = ReturnType<typeof plotOf>

/** Where things are in the chart, in px. */
function plotOf(rows: Row[], width: number, currency: string) {
  const ticks = ticksOf(rows.flatMap((row) => series.map((each) => row[each])))
  const left = widthOf(ticks.map((tick) => compactMoney(tick, currency)))
  const column = Math.max(1, (width - left) / Math.max(1, rows.length))
  const low = ticks[0] ?? 0
  const span = (ticks.at(-1) ?? 0) - low || 1
  return {
    ticks,
    left,
    right: left + column * rows.length,
    column,
    yOf: (value: number) => bottom - ((value - low) / span) * (bottom - top),
    middleOf: (i: number) => left + column * (i + 0.5),
  }
}

type PlotProps = { rows: Row[]; plot: Plot; chosen: number | null; currency: string }

function Plot({ rows, plot, chosen, currency }: PlotProps) {
  const step = stepOfLabels(
    rows.map((row) => row.month),
    plot.column,
  )
  return (
    <>
      {plot.ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${plot.yOf(tick)})`}>
          <line x1={plot.left} x2={plot.right} className="chart-line" />
          <text x={plot.left - 8} dy="0.35em" textAnchor="end">
            {compactMoney(tick, currency)}
          </text>
        </g>
      ))}
      {rows.map((row, i) => (
        <g key={row.month} className={i === chosen ? "chart-chosen" : undefined}>
          <rect
            x={plot.left + i * plot.column}
            y={0}
            width={plot.column}
            height={bottom}
            className="chart-column"
          />
          <Bars row={row} plot={plot} middle={plot.middleOf(i)} />
          {(rows.length - 1 - i) % step === 0 && (
            <text x={plot.middleOf(i)} y={height - 6} textAnchor="middle">
              {row.month}
            </text>
          )}
        </g>
      ))}
    </>
  )
}

/** The bars of a month, one on each side of its middle. */
function Bars({ row, plot, middle }: { row: Row; plot: Plot; middle: number }) {
  const width = Math.min(20, plot.column * 0.36)
  return series.map((each, i) => {
    const ends = [plot.yOf(0), plot.yOf(row[each])]
    const y = Math.min(...ends)
    const x = i === 0 ? middle - width - 1 : middle + 1
    return (
      <rect key={each} x={x} y={y} width={width} height={Math.max(...ends) - y} className={`chart-${each}`} />
    )
  })
}

/** The values of a month, above it, and never beyond the sides of the chart. */
const Values = ({ row, at, currency }: { row: Row; at: number; currency: string }) => (
  <div
    className="chart-values"
    style={{ left: `${at * 100}%`, transform: `translateX(${-at * 100}%)` }}
    aria-hidden
  >
    <Text size="sm" fw={600}>
      {row.month}
    </Text>
    {series.map((each) => (
      <Group key={each} justify="space-between" gap="md" wrap="nowrap">
        <Text span size="sm">
          <span className={`chart-dot chart-${each}`} /> {nameOf(each)}
        </Text>
        <Text span size="sm" className="figures">
          {money(row[each], currency)}
        </Text>
      </Group>
    ))}
  </div>
)

const listed = ["invoiced", "credited", "paid"] as const

/** The newest month first. */
const SalesTable = ({ rows, currency }: { rows: Row[]; currency: string }) => (
  <Table verticalSpacing={2} horizontalSpacing={6} fz="sm">
    <Table.Caption>
      <VisuallyHidden>{t(($) => $.sales)}</VisuallyHidden>
    </Table.Caption>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.month)}</Table.Th>
        {listed.map((each) => (
          <Table.Th key={each} className="right">
            {statusName(each)}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.toReversed().map((row) => (
        <Table.Tr key={row.key}>
          <Table.Th scope="row" style={{ whiteSpace: "nowrap" }}>
            {row.month}
          </Table.Th>
          {listed.map((each) => (
            <Table.Td key={each} className="right">
              <Anchor component={Link} href={hrefOf(monthLists[each](row.key))} size="sm" className="figures">
                {money(row[each], currency)}
              </Anchor>
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
