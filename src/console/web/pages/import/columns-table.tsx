import { Button, NativeSelect, Table, Text, VisuallyHidden } from "@mantine/core"
import { useState } from "react"
import { number } from "../../format"
import { t } from "../../texts"
import { fieldsOf, nameOfField, neededFields, type Import } from "./kinds"
import type { Matching } from "./use-matching"

/** A file may have hundreds of columns. Those that are no field are shown after a click. */
const mostShown = 40

type TableProps = {
  recognised: Import
  matching: Matching
  /** True while the file is read again, which may find other columns. */
  isBusy: boolean
}

/** The columns of the file with examples, and which field each column is. */
export function ColumnsTable({ recognised, matching, isBusy }: TableProps) {
  const [isWhole, setWhole] = useState(false)
  const columns = recognised.columns.map((column, index) => ({ ...column, index }))
  const shown = columns.filter(({ index, field }) => isWhole || index < mostShown || field !== null)
  return (
    <>
      {recognised.firstRows.length > 0 && <Text size="sm">{leftOutInWords(matching.fields)}</Text>}
      <Table verticalSpacing={4} aria-label={t(($) => $.imports.columns)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.imports.column)}</Table.Th>
            <Table.Th visibleFrom="sm">{t(($) => $.imports.samples)}</Table.Th>
            <Table.Th w={{ base: 190, sm: 260 }}>{t(($) => $.imports.field)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ index }) => (
            <ColumnRow
              key={index}
              recognised={recognised}
              matching={matching}
              isBusy={isBusy}
              index={index}
            />
          ))}
        </Table.Tbody>
      </Table>
      <VisuallyHidden role="status">
        {shown.flatMap(({ index }) => takenInWords(recognised, matching, index) ?? []).join(" ")}
      </VisuallyHidden>
      {shown.length < columns.length && (
        <Button variant="default" onClick={() => setWhole(true)} style={{ alignSelf: "start" }}>
          {t(($) => $.imports.allColumns, { shown: columns.length })}
        </Button>
      )}
    </>
  )
}

/** How many columns will not be imported. */
function leftOutInWords(fields: readonly (string | null)[]): string {
  const leftOut = fields.filter((field) => field === null).length
  if (leftOut === 0) return t(($) => $.imports.allImported)
  return t(($) => $.imports.leftOut, { count: leftOut, shown: number(leftOut), total: number(fields.length) })
}

/** Which column has the field that a column had before. */
function takenInWords({ columns }: Import, { takenFrom }: Matching, index: number): string | null {
  const taken = takenFrom(index)
  return (
    taken &&
    t(($) => $.imports.taken, {
      field: nameOfField(taken.field),
      column: columns[taken.by]?.column ?? "",
    })
  )
}

type RowProps = TableProps & { index: number }

function ColumnRow({ recognised, matching, isBusy, index }: RowProps) {
  const { column = "", samples = [] } = recognised.columns[index] ?? {}
  const isLeftOut = matching.fields[index] == null
  const taken = takenInWords(recognised, matching, index)
  return (
    <Table.Tr className={isLeftOut ? "is-left-out" : undefined}>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {column}
        <Text size="xs" c="dimmed" hiddenFrom="sm" lineClamp={2}>
          {samples.slice(0, 2).join(" · ")}
        </Text>
        {isLeftOut && <Text size="xs">{t(($) => $.imports.willNotBeImported)}</Text>}
        {taken && (
          <Text size="xs" fw={600} c="var(--mantine-color-text)">
            {taken}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: "anywhere" }} c="dimmed">
        {samples.join(" · ")}
      </Table.Td>
      <Table.Td>
        <NativeSelect
          aria-label={t(($) => $.imports.fieldOf, { column })}
          data={[{ value: "", label: t(($) => $.imports.notImported) }, ...optionsOf(recognised)]}
          disabled={isBusy}
          value={matching.fields[index] ?? ""}
          onChange={({ currentTarget }) => matching.choose(index, currentTarget.value || null)}
        />
      </Table.Td>
    </Table.Tr>
  )
}

/** The fields that a column can be. Those that a new record must have are marked. */
function optionsOf({ kind }: Import) {
  const required: readonly string[] = neededFields(kind, "create").all
  return fieldsOf(kind).map((value) => {
    const name = nameOfField(value)
    const label = required.includes(value) ? `${name} *` : name
    return { value, label }
  })
}
