import { Table, Text } from "@mantine/core"
import { number, price } from "../../../format"
import { t } from "../../../texts"
import { markOf, type Change } from "./mark"
import type { PricePreview } from "./reprice"

/** The first prices before and after a change. */
export const PreviewTable = ({ of, currency }: { of: PricePreview; currency: string }) => (
  <div>
    <Text size="sm" mb={4} role="status">
      {t(($) => $.items.bulk.matched, { count: of.matched, shown: number(of.matched) })}
    </Text>
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
