import { Group, Radio, Select, SimpleGrid } from "@mantine/core"
import { currencySymbol, decimal, digitsOf } from "../../../console/format"
import { NumberField } from "../../../console/forms/number-field"
import { t } from "../../../console/texts"
import type { PriceErrors } from "./price-errors"
import type { PriceForm } from "./reprice"

type Props = {
  form: PriceForm
  currency: string
  errors: PriceErrors
  onChange: (form: PriceForm) => void
}

const roundings = ["0.01", "0.05", "0.1", "1"]
const endings = ["0.99", "0.95", "0.9", "0.5", "0"]

/** By how much prices change, and how they are rounded. */
export const PriceFields = (props: Props) => (
  <>
    <DirectionField {...props} />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ChangeFields {...props} />
      <RoundingFields {...props} />
    </SimpleGrid>
  </>
)

const DirectionField = ({ form, onChange }: Props) => (
  <Radio.Group
    label={t(($) => $.items.bulk.direction)}
    value={form.direction}
    onChange={(direction) => onChange({ ...form, direction: direction === "down" ? "down" : "up" })}
  >
    <Group mt={4}>
      <Radio value="up" label={t(($) => $.items.bulk.up)} />
      <Radio value="down" label={t(($) => $.items.bulk.down)} />
    </Group>
  </Radio.Group>
)

const ChangeFields = ({ form, currency, errors, onChange }: Props) => (
  <>
    <NumberField
      label={t(($) => $.items.bulk.value)}
      value={form.value}
      error={errors.value}
      data-autofocus
      onChange={(value) => onChange({ ...form, value })}
    />
    <Select
      label={t(($) => $.items.bulk.by)}
      data={[
        { value: "percent", label: t(($) => $.items.bulk.percent) },
        { value: "amount", label: currencySymbol(currency) },
      ]}
      value={form.by}
      allowDeselect={false}
      onChange={(by) => onChange({ ...form, by: by === "amount" ? "amount" : "percent" })}
    />
  </>
)

/** An ending decides the price, so a rounding does not apply. It stays chosen, for when the ending is removed. */
const RoundingFields = ({ form, currency, errors, onChange }: Props) => (
  <>
    <Select
      label={t(($) => $.items.bulk.round)}
      data={choices(
        t(($) => $.items.bulk.roundDefault),
        roundings,
        currency,
      )}
      value={form.round}
      error={errors.round}
      allowDeselect={false}
      disabled={form.ending !== ""}
      description={form.ending === "" ? undefined : t(($) => $.items.bulk.roundUnused)}
      inputWrapperOrder={["label", "input", "description", "error"]}
      onChange={(round) => onChange({ ...form, round: round ?? "" })}
    />
    <Select
      label={t(($) => $.items.bulk.ending)}
      data={choices(
        t(($) => $.items.bulk.anyEnding),
        endingsIn(currency),
        currency,
      )}
      value={form.ending}
      error={errors.ending}
      allowDeselect={false}
      onChange={(ending) => onChange({ ...form, ending: ending ?? "" })}
    />
  </>
)

/** The endings that a price of the currency can have. A price in yen has no decimals. */
const endingsIn = (currency: string): string[] =>
  endings.filter((ending) => ending.replace(/^0\.?/, "").length <= digitsOf(currency))

const choices = (none: string, values: readonly string[], currency: string) => [
  { value: "", label: none },
  ...values.map((value) => ({ value, label: decimal(Number(value), currency) })),
]
