import { Anchor, Button, Group, NativeSelect, SimpleGrid, Table, Text, VisuallyHidden } from "@mantine/core"
import { useState } from "react"
import { useMay } from "../../../console/api/hooks"
import { BusyButton } from "../../../console/parts/busy-button"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { isCountedTitle } from "../../../shared/import-fields"
import { t as found } from "./found/texts"
import { t } from "./texts"
import { activityIn } from "./activity"
import {
  assignedField,
  fieldsOf,
  type Format,
  type Import,
  importKinds,
  nameOfField,
  neededFields,
  type PriceSense,
} from "./kinds"
import { HeadingRow } from "./heading-row"
import { NumberNote, PriceChoice } from "./number-notes"
import { type Matching, missingIn, type Wizard } from "./use-wizard"
import { Step } from "./step"
import type { GivenFormat } from "./upload"
import { number } from "../../../console/format"
import { useIsNarrow } from "../../../console/lists/use-rows"

type Props = { wizard: Wizard; recognized: Import }

/** Shows how the file was understood: its format, its first rows, and which field each column is. */
export function ColumnsStep({ wizard, recognized }: Props) {
  const { sending, matching, check, checked } = wizard
  const [isRefused, setRefused] = useState(false)
  const missing = missingIn(recognized.kind, matching.fields, checked?.settings.mode ?? "create")
  const hasRows = recognized.firstRows.length > 0
  const isBusy = sending.isSending || check.isReading
  const goOn = () => {
    setRefused(missing !== null)
    if (missing === null && !isBusy) wizard.checkColumns()
  }
  const problem = hasRows ? (isRefused ? missing : null) : t(($) => $.onlyTitles)
  return (
    <Step number={2} title={t(($) => $.columnsTitle, { name: recognized.fileName ?? "" })}>
      <HeadingRow of={recognized} onChange={wizard.setFormat} isBusy={isBusy} />
      <FormatFields of={recognized} onChange={wizard.setFormat} isBusy={isBusy} />
      <FirstRows of={recognized} fields={matching.fields} />
      <ColumnsTable recognized={recognized} matching={matching} isBusy={isBusy} onPrices={wizard.setPrices} />
      <Text size="xs" c="dimmed">
        {t(($) => $.required)}
      </Text>
      <ErrorAlert message={sending.error ?? problem} />
      <Text size="sm" role="status">
        {isBusy && activityIn(wizard)}
      </Text>
      {hasRows && missing !== null && !isRefused && <Text size="sm">{missing}</Text>}
      <Group>
        <Button variant="default" onClick={() => wizard.goBack("file")}>
          {t(($) => $.otherFile)}
        </Button>
        <BusyButton isBusy={isBusy} disabled={!hasRows} onClick={goOn}>
          {t(($) => $.checkRows)}
        </BusyButton>
      </Group>
    </Step>
  )
}

type FirstRowsProps = { of: Import; fields: readonly (string | null)[] }

/** The first rows as the file has them, so that a person recognizes it. The box scrolls by itself. */
function FirstRows({ of: { columns, firstRows }, fields }: FirstRowsProps) {
  if (firstRows.length === 0) return null
  const title = t(($) => $.firstRows)
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <div className="file-rows" tabIndex={0} role="region" aria-label={title}>
        <Table verticalSpacing={4} aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ column }, i) => (
                <Table.Th key={i} className={fields[i] == null ? "is-left-out" : undefined}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {firstRows.map((cells, row) => (
              <Table.Tr key={row}>
                {cells.map((cell, i) => (
                  <Table.Td key={i} className={fields[i] == null ? "is-left-out" : undefined}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  )
}

type FormatFieldsProps = { of: Import; onChange: (format: GivenFormat) => void; isBusy: boolean }
type PartProps = Omit<FormatFieldsProps, "of"> & { format: Format }

/** Proper names, which are the same in every language. */
const encodings: Record<NonNullable<Format["encoding"]>, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16BE",
  "windows-1252": "Windows-1252",
}
const decimals: Record<Format["decimal"], string> = { ".": "1,234.56", ",": "1.234,56" }

const delimiterNames = (): Record<NonNullable<Format["delimiter"]>, string> => ({
  ",": t(($) => $.comma),
  ";": t(($) => $.semicolon),
  "\t": t(($) => $.tab),
})
const dateOrderNames = (): Record<Format["dateOrder"], string> => ({
  ymd: t(($) => $.ymd),
  dmy: t(($) => $.dmy),
  mdy: t(($) => $.mdy),
})

/**
 * How the server understands the file. Each part can be changed, except of NDJSON, which is always written in
 * the same way. An XLSX file has neither encoding nor delimiter.
 */
const FormatFields = ({ of: { kind, format }, ...given }: FormatFieldsProps) =>
  format && (
    <>
      <Text size="sm">{t(($) => $.recognized, { type: format.type.toUpperCase() })}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {format.type !== "ndjson" && (
          <>
            <FileFormat format={format} {...given} />
            <Decimal format={format} {...given} />
            {importKinds[kind].hasDates && <DateOrder format={format} {...given} />}
          </>
        )}
      </SimpleGrid>
    </>
  )

/** How the characters and cells of a CSV file are written. */
const FileFormat = ({ format, onChange, isBusy }: PartProps) => (
  <>
    {format.encoding !== null && (
      <Choice
        label={t(($) => $.encoding)}
        names={encodings}
        value={format.encoding}
        onChange={(encoding) => onChange({ encoding })}
        isBusy={isBusy}
      />
    )}
    {format.delimiter !== null && (
      <Choice
        label={t(($) => $.delimiter)}
        names={delimiterNames()}
        value={format.delimiter}
        onChange={(delimiter) => onChange({ delimiter })}
        isBusy={isBusy}
      />
    )}
  </>
)

/** How numbers are written. */
const Decimal = ({ format, onChange, isBusy }: PartProps) => (
  <Choice
    label={t(($) => $.decimal)}
    names={decimals}
    value={format.decimal}
    isGuessed={format.isDecimalGuessed}
    onChange={(decimal) => onChange({ decimal })}
    isBusy={isBusy}
  />
)

/** How dates are written. */
const DateOrder = ({ format, onChange, isBusy }: PartProps) => (
  <Choice
    label={t(($) => $.dateOrder)}
    names={dateOrderNames()}
    value={format.dateOrder}
    isGuessed={format.isDateOrderGuessed}
    onChange={(dateOrder) => onChange({ dateOrder })}
    isBusy={isBusy}
  />
)

type ChoiceProps<V extends string> = {
  label: string
  names: Record<V, string>
  value: V
  /** True if the file does not tell the value: what can be read in several ways is a fault until the user chooses. */
  isGuessed?: boolean
  onChange: (value: V) => void
  isBusy: boolean
}

/** Shows a new choice at once, and the old one again if the file could not be read that way. */
function Choice<V extends string>({ label, names, value, isGuessed, onChange, isBusy }: ChoiceProps<V>) {
  const [wanted, setWanted] = useState<V | null>(null)
  const options = Object.entries<string>(names)
  if (isGuessed) options.unshift(["", t(($) => $.onlyClear)])
  const known = isGuessed ? "" : value
  return (
    <NativeSelect
      label={label}
      data={options.map(([name, text]) => ({ value: name, label: text }))}
      value={isBusy && wanted !== null ? wanted : known}
      aria-busy={isBusy}
      onChange={({ currentTarget }) => {
        for (const name in names)
          if (name === currentTarget.value && !isBusy) {
            setWanted(name)
            onChange(name)
          }
      }}
    />
  )
}

/** A file may have hundreds of columns. Those that are no field are shown after a click. */
const mostShown = 40

type TableProps = {
  recognized: Import
  matching: Matching
  /** True while the file is read again, which may find other columns. */
  isBusy: boolean
  onPrices: (field: string, sense: PriceSense) => void
}

/** The columns of the file with examples, and which field each column is. */
function ColumnsTable({ recognized, matching, isBusy, onPrices }: TableProps) {
  const isNarrow = useIsNarrow()
  const [isWhole, setWhole] = useState(false)
  const columns = recognized.columns.map((column, index) => ({ ...column, index }))
  const shown = columns.filter(({ index, field }) => isWhole || index < mostShown || field !== null)
  return (
    <>
      {recognized.firstRows.length > 0 && <Text size="sm">{leftOutInWords(matching.fields)}</Text>}
      <Table verticalSpacing={4} aria-label={t(($) => $.columns)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.column)}</Table.Th>
            {!isNarrow && <Table.Th>{t(($) => $.samples)}</Table.Th>}
            {!isNarrow && <Table.Th w={260}>{t(($) => $.field)}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ index }) => (
            <ColumnRow
              key={index}
              recognized={recognized}
              matching={matching}
              isBusy={isBusy}
              onPrices={onPrices}
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
          {t(($) => $.allColumns, { shown: columns.length })}
        </Button>
      )}
    </>
  )
}

/** How many columns will not be imported. */
function leftOutInWords(fields: readonly (string | null)[]): string {
  const leftOut = fields.filter((field) => field === null).length
  if (leftOut === 0) return t(($) => $.allImported)
  return t(($) => $.leftOut, { count: leftOut, shown: number(leftOut), total: number(fields.length) })
}

/** Which column has the field that a column had before. */
function takenInWords({ columns }: Import, { takenFrom }: Matching, index: number): string | null {
  const taken = takenFrom(index)
  return (
    taken &&
    t(($) => $.taken, {
      field: nameOfField(taken.field),
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
function RowNotes({ recognized, matching, index, isBusy, onPrices }: Omit<RowProps, "isNarrow">) {
  const field = matching.fields[index] ?? null
  const taken = takenInWords(recognized, matching, index)
  const column = recognized.columns[index]
  const takes = matching.takes(index).map((from) => recognized.columns[from]?.column ?? "")
  // What the server says about the numbers of a column is about the field that it had then.
  const isAsRead = column !== undefined && column.field === field
  return (
    <>
      {field === null && <LeftOut kind={recognized.kind} title={column?.column ?? ""} />}
      {field !== null && field === assignedField(recognized.kind) && (
        <Text size="xs">{t(($) => $.numberAssigned)}</Text>
      )}
      {isAsRead && <NumberNote column={column} />}
      {isAsRead && field !== null && (
        <PriceChoice column={column} isBusy={isBusy} onChange={(sense) => onPrices(field, sense)} />
      )}
      {[taken, ...takes.map((each) => t(($) => $.takes, { column: each }))].filter(Boolean).map((text) => (
        <Text key={text} size="xs" fw={600} c="var(--mantine-color-text)">
          {text}
        </Text>
      ))}
    </>
  )
}

/** Says that a column is left out. Quantities in stock are not part of items: they are imported as a stock count. */
function LeftOut({ kind, title }: Pick<Import, "kind"> & { title: string }) {
  const counts = importKinds["stock-counts"]
  const isStock = kind === "items" && isCountedTitle(title)
  const mayCount = useMay()(counts.right.area, counts.right.scope)
  return (
    <Text size="xs">
      {t(($) => $.willNotBeImported)}
      {isStock && (
        <>
          {". "}
          {found(($) => $.stockIsCounted)}{" "}
          {mayCount && (
            <Anchor href="/console/import?kind=stock-counts" target="_blank" inherit>
              {counts.title}
            </Anchor>
          )}
        </>
      )}
    </Text>
  )
}

type FieldProps = Omit<RowProps, "isNarrow" | "onPrices"> & { column: string }

const FieldSelect = ({ recognized, matching, isBusy, index, column }: FieldProps) => (
  <NativeSelect
    aria-label={t(($) => $.fieldOf, { column })}
    data={[{ value: "", label: t(($) => $.notImported) }, ...optionsOf(recognized)]}
    disabled={isBusy}
    value={matching.fields[index] ?? ""}
    onChange={({ currentTarget }) => matching.choose(index, currentTarget.value || null)}
  />
)

/** The fields that a column can be. Those that a new record must have are marked. */
function optionsOf({ kind }: Import) {
  const required: readonly string[] = neededFields(kind, "create").all
  return fieldsOf(kind).map((value) => {
    const name = nameOfField(value)
    const label = required.includes(value) ? `${name} *` : name
    return { value, label }
  })
}
