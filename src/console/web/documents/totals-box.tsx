import { Divider, Group, Paper, Text } from "@mantine/core"
import { money, number } from "../format"
import { t } from "../texts"

type Props = {
  currency: string
  subtotal: number
  discountTotal: number
  taxTotal: number
  total: number
  /** The tax for each tax rate, if known. */
  taxes?: { taxRate: number; tax: number }[]
  /** More amounts below the total. */
  more?: { label: string; amount: number; isStrong?: boolean }[]
}

/** The totals of a document. */
export function TotalsBox({ currency, subtotal, discountTotal, taxTotal, total, taxes, more = [] }: Props) {
  const taxRows =
    taxes && taxes.length > 0
      ? taxes.map(({ taxRate, tax }) => ({
          label: t(($) => $.documents.taxOfRate, { rate: number(taxRate) }),
          amount: tax,
        }))
      : [{ label: t(($) => $.documents.tax), amount: taxTotal }]
  return (
    <Paper withBorder p="md" role="group" aria-label={t(($) => $.documents.totals)}>
      {discountTotal !== 0 && (
        <>
          <Figure
            label={t(($) => $.documents.beforeDiscount)}
            value={money(subtotal + discountTotal, currency)}
          />
          <Figure label={t(($) => $.fields.discount)} value={money(-discountTotal, currency)} />
        </>
      )}
      <Figure label={t(($) => $.fields.subtotal)} value={money(subtotal, currency)} />
      {taxRows.map(({ label, amount }) => (
        <Figure key={label} label={label} value={money(amount, currency)} />
      ))}
      <Divider my="xs" />
      <Figure label={t(($) => $.fields.total)} value={money(total, currency)} isStrong />
      {more.map(({ label, amount, isStrong }) => (
        <Figure key={label} label={label} value={money(amount, currency)} isStrong={isStrong} />
      ))}
    </Paper>
  )
}

const Figure = ({ label, value, isStrong }: { label: string; value: string; isStrong?: boolean }) => (
  <Group justify="space-between" gap="md" wrap="nowrap">
    <Text size={isStrong ? "md" : "sm"} fw={isStrong ? 700 : undefined}>
      {label}
    </Text>
    <Text size={isStrong ? "md" : "sm"} fw={isStrong ? 700 : undefined} className="figures">
      {value}
    </Text>
  </Group>
)
