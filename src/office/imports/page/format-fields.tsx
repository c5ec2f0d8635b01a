import { NativeSelect, SimpleGrid, Text } from "@mantine/core"
import { useState } from "react"
import { t } from "../../../console/texts"
import { importKinds, type Format, type Import } from "./kinds"
import type { GivenFormat } from "./upload"

type Props = { of: Import; onChange: (format: GivenFormat) => void; isBusy: boolean }
type PartProps = Omit<Props, "of"> & { format: Format }

/** Proper names, which are the same in every language. */
const encodings: Record<NonNullable<Format["encoding"]>, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16BE",
  "windows-1252": "Windows-1252",
}
const decimals: Record<Format["decimal"], string> = { ".": "1,234.56", ",": "1.234,56" }

const delimiterNames = (): Record<NonNullable<Format["delimiter"]>, string> => ({
  ",": t(($) => $.imports.comma),
  ";": t(($) => $.imports.semicolon),
  "\t": t(($) => $.imports.tab),
})
const dateOrderNames = (): Record<Format["dateOrder"], string> => ({
  ymd: t(($) => $.imports.ymd),
  dmy: t(($) => $.imports.dmy),
  mdy: t(($) => $.imports.mdy),
})

/** How the server understands the file. Each part can be changed. An XLSX file has neither encoding nor delimiter. */
export const FormatFields = ({ of: { kind, format }, ...given }: Props) =>
  format && (
    <>
      <Text size="sm">{t(($) => $.imports.recognized, { type: format.type.toUpperCase() })}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <FileFormat format={format} {...given} />
        <Decimal format={format} {...given} />
        {importKinds[kind].hasDates && <DateOrder format={format} {...given} />}
      </SimpleGrid>
    </>
  )

/** How the characters and cells of a CSV file are written. */
const FileFormat = ({ format, onChange, isBusy }: PartProps) => (
  <>
    {format.encoding !== null && (
      <Choice
        label={t(($) => $.imports.encoding)}
        names={encodings}
        value={format.encoding}
        onChange={(encoding) => onChange({ encoding })}
        isBusy={isBusy}
      />
    )}
    {format.delimiter !== null && (
      <Choice
        label={t(($) => $.imports.delimiter)}
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
    label={t(($) => $.imports.decimal)}
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
    label={t(($) => $.imports.dateOrder)}
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
  if (isGuessed) options.unshift(["", t(($) => $.imports.onlyClear)])
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
