import { Divider, Group, Paper, Text } from "@mantine/core"
import type { TaxCategory } from "../../../shared/documents/tax"
import { digitsOf, money, number } from "../../../console/format"
import { roundedTo } from "../../../shared/decimal"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { taxRateText } from "../lines/tax-codes"

/** The tax of a document in one category at one rate. */
type Tax = { category: TaxCategory | null; rate: number; base: number; tax: number; reason: string | null }

type Props = {
  currency: string
  pricesIncludeTax: boolean
  subtotal: number
  discountTotal: number
  /** The discount of the whole document: the percentage, the amount that `discountTotal` contains, and which was given. */
  discount: number
  discountAmount: number
  isDiscountAmount: boolean
  taxes: readonly Tax[]
  total: number
  /** More amounts below the total. */
  more?: { label: string; amount: number; isStrong?: boolean }[]
}

/** The totals of a document. If its prices include tax, the total comes first, and then the tax in it. */
export function TotalsBox({ more = [], ...totals }: Props) {
  const { currency, taxes, pricesIncludeTax } = totals
  return (
    <Paper withBorder p="md" role="group" aria-label={t(($) => $.documents.totals)}>
      <DiscountFigures {...totals} />
      {pricesIncludeTax ? <GrossFigures {...totals} /> : <NetFigures {...totals} />}
      {more.map(({ label, amount, isStrong }) => (
        <Figure key={label} label={label} value={money(amount, currency)} isStrong={isStrong} />
      ))}
      {reasonsOf(taxes).map((reason) => (
        <Text key={reason} size="xs" c="dimmed" mt="xs" style={{ overflowWrap: "anywhere" }}>
          {reason}
        </Text>
      ))}
    </Paper>
  )
}

/** The discounts of the lines, and that of the whole document. */
function DiscountFigures(totals: Omit<Props, "more">) {
  const { currency, discountTotal, discountAmount, pricesIncludeTax, subtotal, total } = totals
  const sum = pricesIncludeTax ? total : subtotal
  const ofLines = roundedTo(discountTotal - discountAmount, digitsOf(currency))
  return (
    <>
      {ofLines !== 0 && (
        <>
          <Figure label={t(($) => $.documents.beforeDiscount)} value={money(sum + discountTotal, currency)} />
          <Figure label={common(($) => $.fields.discount)} value={money(-ofLines, currency)} />
        </>
      )}
      {discountAmount !== 0 && (
        <>
          <Figure label={t(($) => $.documents.sumOfLines)} value={money(sum + discountAmount, currency)} />
          <Figure label={nameOfDiscount(totals)} value={money(-discountAmount, currency)} />
        </>
      )}
    </>
  )
}

const nameOfDiscount = ({
  discount,
  isDiscountAmount,
}: Pick<Props, "discount" | "isDiscountAmount">): string =>
  isDiscountAmount
    ? common(($) => $.fields.discount)
    : t(($) => $.documents.discountOfRate, { rate: number(discount) })

type FiguresProps = Pick<Props, "currency" | "subtotal" | "taxes" | "total">

const NetFigures = ({ currency, subtotal, taxes, total }: FiguresProps) => (
  <>
    <Figure label={common(($) => $.fields.subtotal)} value={money(subtotal, currency)} />
    {taxes.length === 0 && <Figure label={t(($) => $.documents.tax)} value={money(0, currency)} />}
    {taxes.map((tax) => (
      <Figure
        key={keyOf(tax)}
        label={
          taxes.length > 1
            ? t(($) => $.documents.taxOnBase, { tax: nameOf(tax), base: money(tax.base, currency) })
            : nameOf(tax)
        }
        value={money(tax.tax, currency)}
      />
    ))}
    <Divider my="xs" />
    <Figure label={common(($) => $.fields.total)} value={money(total, currency)} isStrong />
  </>
)

const GrossFigures = ({ currency, taxes, total }: FiguresProps) => (
  <>
    <Figure label={common(($) => $.fields.total)} value={money(total, currency)} isStrong />
    {taxes.map((tax) => (
      <Text key={keyOf(tax)} size="sm" c="dimmed" className="figures">
        {t(($) => $.documents.includedTax, {
          rate: rateOf(tax),
          tax: money(tax.tax, currency),
          base: money(tax.base, currency),
        })}
      </Text>
    ))}
  </>
)

const keyOf = ({ category, rate }: Tax) => `${category} ${rate}`

const rateOf = ({ category, rate }: Tax) => taxRateText(category, rate)

const nameOf = (tax: Tax) => t(($) => $.documents.taxOfRate, { rate: rateOf(tax) })

const reasonsOf = (taxes: readonly Tax[]) => [...new Set(taxes.flatMap(({ reason }) => reason ?? []))]

/** An amount after its label. */
export const Figure = ({ label, value, isStrong }: { label: string; value: string; isStrong?: boolean }) => (
  <Group justify="space-between" gap="md" wrap="nowrap">
    <Text size={isStrong ? "md" : "sm"} fw={isStrong ? 700 : undefined}>
      {label}
    </Text>
    <Text size={isStrong ? "md" : "sm"} fw={isStrong ? 700 : undefined} className="figures">
      {value}
    </Text>
  </Group>
)
