import { Text } from "@mantine/core"
import { daysBetween } from "../../../shared/dates"
import type { Invoice } from "../../../console/api/types"
import { CustomerLink } from "../../../trade/page/view/parties"
import { date, money, number } from "../../../console/format"
import type { HeaderFact } from "../../../trade/page/record-page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as creditNoteTexts } from "../../credit-notes/page/texts"

/** What a person looks for first on an invoice. */
export function invoiceFacts(invoice: Invoice, today: string): (HeaderFact | false)[] {
  const { total, balance, creditedTotal, currency, dueDate, status, isOpening } = invoice
  const isOwed = status !== "draft" && status !== "cancelled" && balance > 0
  return [
    { label: common(($) => $.fields.customer), value: <CustomerLink of={invoice} /> },
    {
      label: isOpening ? t(($) => $.openingAmount) : common(($) => $.fields.total),
      value: money(total, currency),
      isStrong: true,
    },
    isOwed && { label: t(($) => $.open), value: money(balance, currency), isStrong: true },
    creditedTotal > 0 && {
      label: creditNoteTexts(($) => $.creditedTotal),
      value: money(creditedTotal, currency),
    },
    {
      label: common(($) => $.fields.dueDate),
      value: dueDate ? <DueDate invoice={invoice} today={today} /> : "–",
    },
  ]
}

/** The due date. If it has passed and something is open, also by how many days. */
function DueDate({ invoice, today }: { invoice: Invoice; today: string }) {
  const { dueDate, isOverdue } = invoice
  if (!isOverdue || !dueDate) return date(dueDate)
  const days = daysBetween(dueDate, today)
  return (
    <>
      {date(dueDate)}{" "}
      <Text span inherit fw={600} c="var(--mantine-color-error)">
        {t(($) => $.daysOverdue, { count: days, shown: number(days) })}
      </Text>
    </>
  )
}
