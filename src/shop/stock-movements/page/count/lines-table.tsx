import { inUnits } from "../../../../trade/page/in-words"
import { ActionIcon, Anchor, Button, Group, Table, Text } from "@mantine/core"
import { IconTrash } from "../../../../console/parts/icons"
import { memo, useState } from "react"
import { Link } from "wouter"
import type { Typed } from "../../../../console/forms/number"
import { NumberField } from "../../../../console/forms/number-field"
import { number } from "../../../../console/format"
import { t as common } from "../../../../console/texts"
import { t } from "../texts"
import { t as itemTexts } from "../../../items/texts"
import { differenceInWords } from "../stock-actions"
import type { CountedLine } from "./draft"

/** What a person can do with a line. The functions stay the same, so that a scan renders only its own line. */
export type LineActions = {
  correct: (item: string, counted: Typed) => void
  remove: (line: CountedLine) => void
  /** Goes back to the input of the codes. */
  goOn: () => void
}

type Props = { lines: CountedLine[]; errors: ReadonlyMap<string, string>; actions: LineActions }

/** The number of lines that are shown at first, and added by the button below them. */
const step = 100

/** The lines of the count, the last scan first. */
export function LinesTable({ lines, errors, actions }: Props) {
  const [most, setMost] = useState(step)
  // A line with an error must be visible.
  const shown = lines.filter(({ id }, i) => i < most || errors.has(id))
  return (
    <>
      <Table verticalSpacing={4} aria-label={t(($) => $.stockCount.lines)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th visibleFrom="sm">{itemTexts(($) => $.code)}</Table.Th>
            <Table.Th>{common(($) => $.fields.item)}</Table.Th>
            <Table.Th className="right" visibleFrom="sm">
              {t(($) => $.stockCount.byTheBooks)}
            </Table.Th>
            <Table.Th className="right">{t(($) => $.stock.counted)}</Table.Th>
            <Table.Th className="right">{t(($) => $.stockCount.difference)}</Table.Th>
            <Table.Th w={44} aria-label={t(($) => $.stockCount.remove)} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((line) => (
            <Line key={line.id} line={line} error={errors.get(line.id)} actions={actions} />
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < lines.length && (
        <Group justify="space-between" mt="sm">
          <Text size="sm" c="dimmed">
            {common(($) => $.lists.shownOf, { shown: number(shown.length), total: number(lines.length) })}
          </Text>
          <Button variant="default" onClick={() => setMost(most + step)}>
            {common(($) => $.common.showMore)}
          </Button>
        </Group>
      )}
    </>
  )
}

type LineProps = { line: CountedLine; error: string | undefined; actions: LineActions }

const Line = memo(function Line({ line, error, actions }: LineProps) {
  const { id, itemCode, itemName, uom, currentStock, counted } = line
  return (
    <Table.Tr>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: "anywhere" }}>
        {itemCode}
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <Anchor component={Link} href={`/items/${id}`} size="sm">
          {itemName}
        </Anchor>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {itemCode} · {inUnits(currentStock, uom)}
        </Text>
      </Table.Td>
      <Table.Td className="right" visibleFrom="sm">
        {inUnits(currentStock, uom)}
      </Table.Td>
      <Table.Td className="right">
        <Count line={line} error={error} actions={actions} />
      </Table.Td>
      <Table.Td className="right">{differenceInWords(counted, currentStock) ?? "–"}</Table.Td>
      <Table.Td>
        <Remove line={line} actions={actions} />
      </Table.Td>
    </Table.Tr>
  )
})

/** Enter goes back to the codes, so that the next scan does not change the count. */
const Count = ({ line: { id, itemName, counted }, error, actions }: LineProps) => (
  <NumberField
    aria-label={t(($) => $.stock.countOf, { name: itemName })}
    w={84}
    ml="auto"
    value={counted}
    onChange={(next) => actions.correct(id, next)}
    onKeyDown={({ key }) => key === "Enter" && actions.goOn()}
    error={error}
    styles={{ input: { textAlign: "right" }, error: { whiteSpace: "normal" } }}
  />
)

const Remove = ({ line, actions }: Omit<LineProps, "error">) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={36}
    aria-label={t(($) => $.stockCount.removeOne, { name: line.itemName })}
    onClick={() => actions.remove(line)}
  >
    <IconTrash size={16} />
  </ActionIcon>
)
