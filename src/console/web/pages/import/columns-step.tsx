import { Button, Group, NativeSelect, Table, Text } from "@mantine/core"
import { useState } from "react"
import { BusyButton } from "../../parts/busy-button"
import { ErrorAlert } from "../../parts/error-alert"
import { t } from "../../texts"
import { FormatFields } from "./format-fields"
import { fieldsOf, nameOfField, neededFields, type Import } from "./kinds"
import { missingIn } from "./missing"
import { Step } from "./step"
import type { Matching } from "./use-matching"
import type { Wizard } from "./use-wizard"

type Props = { wizard: Wizard; recognised: Import }

/** Shows how the file was understood: its format, its columns with examples, and which field each column is. */
export function ColumnsStep({ wizard, recognised }: Props) {
  const { sending, matching, check, checked } = wizard
  const [isRefused, setRefused] = useState(false)
  const missing = missingIn(recognised.kind, matching.fields, checked?.settings.mode ?? "create")
  const isBusy = sending.isSending || check.isReading
  const goOn = () => {
    setRefused(missing !== null)
    if (missing === null && !isBusy) wizard.checkColumns()
  }
  return (
    <Step number={2} title={t(($) => $.imports.columnsTitle, { name: recognised.fileName ?? "" })}>
      {recognised.format && (
        <FormatFields format={recognised.format} onChange={wizard.setFormat} isBusy={isBusy} />
      )}
      <ColumnsTable recognised={recognised} matching={matching} isBusy={isBusy} />
      <Text size="xs" c="dimmed">
        {t(($) => $.imports.required)}
      </Text>
      <ErrorAlert message={sending.error ?? (isRefused ? missing : null)} />
      {missing !== null && !isRefused && <Text size="sm">{missing}</Text>}
      <Group>
        <Button variant="default" onClick={() => wizard.goTo("file")}>
          {t(($) => $.imports.otherFile)}
        </Button>
        <BusyButton isBusy={isBusy} onClick={goOn}>
          {t(($) => $.imports.checkRows)}
        </BusyButton>
      </Group>
    </Step>
  )
}

/** A file may have hundreds of columns. Those that are no field are shown after a click. */
const mostShown = 40

type TableProps = {
  recognised: Import
  matching: Matching
  /** True while the file is read again, which may find other columns. */
  isBusy: boolean
}

function ColumnsTable({ recognised, matching, isBusy }: TableProps) {
  const [isWhole, setWhole] = useState(false)
  const columns = recognised.columns.map((column, index) => ({ ...column, index }))
  const shown = columns.filter(({ index, field }) => isWhole || index < mostShown || field !== null)
  return (
    <>
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
      {shown.length < columns.length && (
        <Button variant="default" onClick={() => setWhole(true)} style={{ alignSelf: "start" }}>
          {t(($) => $.imports.allColumns, { shown: columns.length })}
        </Button>
      )}
    </>
  )
}

type RowProps = TableProps & { index: number }

function ColumnRow({ recognised, matching, isBusy, index }: RowProps) {
  const { column = "", samples = [] } = recognised.columns[index] ?? {}
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {column}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {samples.slice(0, 2).join(" · ")}
        </Text>
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
