import { NativeSelect, Text } from "@mantine/core"
import { number } from "../../../console/format"
import type { Import, PriceSense } from "./kinds"
import { t } from "./texts"

type Column = Import["columns"][number]

/** How the numbers of a column are read, with an example. */
export function NumberNote({ column: { number: form } }: { column: Column }) {
  if (!form) return null
  const { example, signs } = form
  const isPlain = example === null || /^\d+$/.test(example.text)
  if (isPlain && signs.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {example && t(($) => $.readAs, { text: example.text, value: number(example.value) })}{" "}
      {signs.length > 0 && t(($) => $.signsLeftOut, { signs: signs.join(", ") })}
    </Text>
  )
}

const senses: readonly PriceSense[] = ["gross", "net"]

type Props = { column: Column; isBusy: boolean; onChange: (sense: PriceSense) => void }

/** Whether the prices of a column include tax, and that they are converted. */
export function PriceChoice({ column: { column, prices, isConverted }, isBusy, onChange }: Props) {
  if (!prices) return null
  return (
    <>
      <NativeSelect
        size="xs"
        mt={4}
        aria-label={t(($) => $.prices, { column })}
        data={senses.map((value) => ({ value, label: t(($) => $.pricesAre[value]) }))}
        value={prices}
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          const sense = senses.find((each) => each === currentTarget.value)
          if (sense) onChange(sense)
        }}
      />
      {isConverted && <Text size="xs">{t(($) => $.converted[prices])}</Text>}
    </>
  )
}
