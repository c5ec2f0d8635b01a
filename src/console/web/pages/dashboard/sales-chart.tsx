import { BarChart } from "@mantine/charts"
import { VisuallyHidden } from "@mantine/core"
import type { Summary } from "../../api/types"
import { compactMoney, money, month } from "../../format"
import { t } from "../../texts"

type Props = { months: NonNullable<Summary["salesByMonth"]>; currency: string }

/** The invoiced and paid amounts per month, as a chart and, for screen readers, as a table. */
export default function SalesChart({ months, currency }: Props) {
  const data = months.map(({ month: name, invoiced, paid }) => ({ month: month(name), invoiced, paid }))
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={260}
          data={data}
          dataKey="month"
          series={[
            { name: "invoiced", label: t(($) => $.values.status.invoiced), color: "cyan.7" },
            { name: "paid", label: t(($) => $.values.status.paid), color: "teal.4" },
          ]}
          withLegend
          valueFormatter={(value) => money(value, currency)}
          xAxisProps={{ interval: "equidistantPreserveStart" }}
          yAxisProps={{ width: 72, tickFormatter: (value: number) => compactMoney(value, currency) }}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <SalesTable rows={data} currency={currency} />
      </VisuallyHidden>
    </>
  )
}

type TableProps = { rows: { month: string; invoiced: number; paid: number }[]; currency: string }

const SalesTable = ({ rows, currency }: TableProps) => (
  <table>
    <caption>{t(($) => $.dashboard.sales)}</caption>
    <thead>
      <tr>
        <th>{t(($) => $.dashboard.month)}</th>
        <th>{t(($) => $.values.status.invoiced)}</th>
        <th>{t(($) => $.values.status.paid)}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.month}>
          <th scope="row">{row.month}</th>
          <td>{money(row.invoiced, currency)}</td>
          <td>{money(row.paid, currency)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
