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
    <Table aria-label={t(($) => $.items.bulk.preview)}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t(($) => $.items.code)}</Table.Th>
          <Table.Th>{t(($) => $.common.name)}</Table.Th>
          <Table.Th ta="right">{t(($) => $.items.bulk.before)}</Table.Th>
          <Table.Th ta="right">{t(($) => $.items.bulk.after)}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {of.preview.map(({ id, itemCode, itemName, before, after }) => (
          <Table.Tr key={id}>
            <Table.Td>{itemCode}</Table.Td>
            <Table.Td>{itemName}</Table.Td>
            <Table.Td ta="right">{price(before, currency)}</Table.Td>
            <Table.Td ta="right">
              <After before={before} after={after} change={of.change} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
)

type AfterProps = { before: number; after: number | null; change: Change; currency: string }

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
