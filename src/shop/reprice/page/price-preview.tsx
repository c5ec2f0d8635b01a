import { Table, Text } from "@mantine/core"
import { number, price } from "../../../console/format"
import { t } from "../../../console/texts"
import { markOf, type Change } from "./mark"
import type { PricePreview } from "./reprice"

/** The first prices before and after a change. */
export const PreviewTable = ({ of, currency }: { of: PricePreview; currency: string }) => (
  <div>
    <Counts of={of.counts} />
    <Table.ScrollContainer
      minWidth={0}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.items.bulk.preview) },
      }}
    >
      <Table aria-label={t(($) => $.items.bulk.preview)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.fields.item)}</Table.Th>
            <Table.Th ta="right">{t(($) => $.items.bulk.before)}</Table.Th>
            <Table.Th ta="right">{t(($) => $.items.bulk.after)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.preview.map((row) => (
            <Row key={row.id} {...row} change={of.change} currency={currency} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </div>
)

const counted = (count: number) => ({ count, shown: number(count) })

const exceptions = ["belowZero", "tooLarge", "unchanged"] as const

/** Says how many of all prices stay as they are, and why. */
const exceptionsIn = (counts: PricePreview["counts"]): string[] =>
  exceptions
    .filter((name) => counts[name] > 0)
    .map((name) =>
      t(($) => $.items.bulk.exception[name], { ...counted(counts[name]), total: number(counts.matched) }),
    )

/** Says how many items there are, and how many of their prices stay as they are. */
const Counts = ({ of }: { of: PricePreview["counts"] }) => (
  <div role="status">
    {exceptionsIn(of).map((sentence) => (
      <Text key={sentence} size="sm" mb={4} fw={600}>
        {sentence}
      </Text>
    ))}
    <Text size="sm" mb={4}>
      {t(($) => $.items.bulk.matched, counted(of.matched))}
    </Text>
  </div>
)

type RowProps = PricePreview["preview"][number] & { change: Change; currency: string }

/** The code and the name share a column, so that the table fits on a phone. */
const Row = ({ itemCode, itemName, ...prices }: RowProps) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: "anywhere" }}>
      {itemCode}
      <Text size="xs" c="dimmed">
        {itemName}
      </Text>
    </Table.Td>
    <Table.Td ta="right">{price(prices.before, prices.currency)}</Table.Td>
    <Table.Td ta="right">
      <After {...prices} />
    </Table.Td>
  </Table.Tr>
)

type AfterProps = Pick<RowProps, "before" | "after" | "change" | "currency">

/** The new price, with a word if it is not what the user expects. */
function After({ before, after, change, currency }: AfterProps) {
  if (after === null)
    return (
      <Text inherit fw={600}>
        {t(($) => $.items.bulk.impossible)}
      </Text>
    )
  const mark = markOf(before, after, change)
  if (mark === "unchanged")
    return (
      <Text inherit c="dimmed">
        {t(($) => $.items.bulk.mark.unchanged)}
      </Text>
    )
  return (
    <>
      <Text inherit fw={600}>
        {price(after, currency)}
      </Text>
      {mark && (
        <Text size="xs" c="var(--mantine-color-error)">
          {t(($) => $.items.bulk.mark[mark])}
        </Text>
      )}
    </>
  )
}
