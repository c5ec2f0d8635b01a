import { Paper, Title } from "@mantine/core"
import type { Invoice } from "../../../console/api/types"
import { Figure } from "../../../trade/page/totals-box"
import { date, money } from "../../../console/format"
import { Facts } from "../../../console/parts/facts"
import { t } from "../../../console/texts"

/** What is known of an invoice of another system. The line that the server keeps for it is not one of that system. */
export const OpeningBalance = ({ invoice }: { invoice: Invoice }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h4" mb="sm">
      {t(($) => $.invoices.openingBalance)}
    </Title>
    <Facts
      columns={3}
      of={[
        { label: t(($) => $.invoices.openingNumber), value: invoice.invoiceNumber },
        { label: t(($) => $.fields.invoiceDate), value: date(invoice.invoiceDate) },
        { label: t(($) => $.invoices.openingAmount), value: money(invoice.total, invoice.currency) },
      ]}
    />
  </Paper>
)

type Props = { invoice: Invoice; more: { label: string; amount: number; isStrong?: boolean }[] }

/** The amounts of an invoice of another system. How much of it is tax is known only there. */
export const OpeningTotals = ({ invoice: { total, currency }, more }: Props) => (
  <Paper withBorder p="md" role="group" aria-label={t(($) => $.documents.totals)}>
    <Figure label={t(($) => $.invoices.openingAmount)} value={money(total, currency)} />
    {more.map(({ label, amount, isStrong }) => (
      <Figure key={label} label={label} value={money(amount, currency)} isStrong={isStrong} />
    ))}
  </Paper>
)
