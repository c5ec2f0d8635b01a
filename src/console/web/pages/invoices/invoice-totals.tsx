import { Text } from "@mantine/core"
import type { Invoice } from "../../api/types"
import { money } from "../../format"
import { Figures } from "../../parts/figures"

/** What it comes to, and what is left to pay. */
export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const { subtotal, discountTotal, taxTotal, total, amountPaid, balance, currency } = invoice
  const strong = (amount: number) => (
    <Text span inherit fw={700}>
      {money(amount, currency)}
    </Text>
  )
  return (
    <Figures
      title="Totals"
      rows={[
        ["Subtotal", money(subtotal, currency)],
        discountTotal > 0 && ["Discount, already taken off", money(discountTotal, currency)],
        ["Tax", money(taxTotal, currency)],
        ["Total", strong(total)],
        ["Paid", money(amountPaid, currency)],
        ["Balance", strong(balance)],
      ]}
    />
  )
}
