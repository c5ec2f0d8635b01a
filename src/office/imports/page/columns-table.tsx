import { Button, NativeSelect, Table, Text, VisuallyHidden } from "@mantine/core"
import { useState } from "react"
import { number } from "../../../console/format"
import { useIsNarrow } from "../../../console/lists/use-is-narrow"
import { t } from "../../../console/texts"
import { assignedField, fieldsOf, nameOfField, neededFields, type Import } from "./kinds"
import type { Matching } from "./use-matching"

/** A file may have hundreds of columns. Those that are no field are shown after a click. */
const mostShown = 40

type TableProps = {
  recognized: Import
  matching: Matching
  /** True while the file is read again, which may find other columns. */
  isBusy: boolean
}

/** The columns of the file with examples, and which field each column is. */
export function ColumnsTable({ recognized, matching, isBusy }: TableProps) {
  const isNarrow = useIsNarrow()
  const [isWhole, setWhole] = useState(false)
  const columns = recognized.columns.map((column, index) => ({ ...column, index }))
  const shown = columns.filter(({ index, field }) => isWhole || index < mostShown || field !== null)
  return (
    <>
      {recognized.firstRows.length > 0 && <Text size="sm">{leftOutInWords(matching.fields)}</Text>}
      <Table verticalSpacing={4} aria-label={t(($) => $.imports.columns)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.imports.column)}</Table.Th>
            {!isNarrow && <Table.Th>{t(($) => $.imports.samples)}</Table.Th>}
            {!isNarrow && <Table.Th w={260}>{t(($) => $.imports.field)}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ index }) => (
            <ColumnRow
              key={index}
              recognized={recognized}
              matching={matching}
              isBusy={isBusy}
              index={index}
              isNarrow={isNarrow}
            />
          ))}
        </Table.Tbody>
      </Table>
      <VisuallyHidden role="status">
        {shown.flatMap(({ index }) => takenInWords(recognized, matching, index) ?? []).join(" ")}
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
function takenInWords({ kind, columns }: Import, { takenFrom }: Matching, index: number): string | null {
  const taken = takenFrom(index)
  return (
    taken &&
    t(($) => $.imports.taken, {
      field: nameOfField(taken.field, kind),
      column: columns[taken.by]?.column ?? "",
    })
  )
}

type RowProps = TableProps & { index: number; isNarrow: boolean }

/** On a phone, the choice of the field is below the title, so that the names of the fields are not cut off. */
function ColumnRow({ isNarrow, ...props }: RowProps) {
  const { recognized, matching, index } = props
  const { column = "", samples = [] } = recognized.columns[index] ?? {}
  const isLeftOut = matching.fields[index] == null
  return (
    <Table.Tr className={isLeftOut ? "is-left-out" : undefined}>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {column}
        {isNarrow && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {samples.slice(0, 2).join(" · ")}
          </Text>
        )}
        <RowNotes {...props} />
        {isNarrow && <FieldSelect {...props} column={column} />}
      </Table.Td>
      {!isNarrow && (
        <>
          <Table.Td style={{ overflowWrap: "anywhere" }} c="dimmed">
            {samples.join(" · ")}
          </Table.Td>
          <Table.Td>
            <FieldSelect {...props} column={column} />
          </Table.Td>
        </>
      )}
    </Table.Tr>
  )
}

/** What is particular about a column. */
function RowNotes({ recognized, matching, index }: Omit<RowProps, "isNarrow">) {
  const field = matching.fields[index] ?? null
  const taken = takenInWords(recognized, matching, index)
  return (
    <>
      {field === null && <Text size="xs">{t(($) => $.imports.willNotBeImported)}</Text>}
      {field !== null && field === assignedField(recognized.kind) && (
        <Text size="xs">{t(($) => $.imports.numberAssigned)}</Text>
      )}
      {taken && (
        <Text size="xs" fw={600} c="var(--mantine-color-text)">
          {taken}
        </Text>
      )}
    </>
  )
}

type FieldProps = Omit<RowProps, "isNarrow"> & { column: string }

const FieldSelect = ({ recognized, matching, isBusy, index, column }: FieldProps) => (
  <NativeSelect
    aria-label={t(($) => $.imports.fieldOf, { column })}
    data={[{ value: "", label: t(($) => $.imports.notImported) }, ...optionsOf(recognized)]}
    disabled={isBusy}
    value={matching.fields[index] ?? ""}
    onChange={({ currentTarget }) => matching.choose(index, currentTarget.value || null)}
  />
)

/** The fields that a column can be. Those that a new record must have are marked. */
function optionsOf({ kind }: Import) {
  const required: readonly string[] = neededFields(kind, "create").all
  return fieldsOf(kind).map((value) => {
    const name = nameOfField(value, kind)
    const label = required.includes(value) ? `${name} *` : name
    return { value, label }
  })
}
