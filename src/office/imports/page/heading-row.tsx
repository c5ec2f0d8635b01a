import { NativeSelect } from "@mantine/core"
import { useState } from "react"
import { number } from "../../../console/format"
import type { Import } from "./kinds"
import { t } from "./texts"
import type { GivenFormat } from "./upload"

type Props = { of: Import; onChange: (format: GivenFormat) => void; isBusy: boolean }

/** Which row has the titles. The server proposes one; the first rows are shown to choose another. */
export function HeadingRow({ of: { format, beginning }, onChange, isBusy }: Props) {
  const [wanted, setWanted] = useState<string | null>(null)
  if (!format || format.type === "ndjson" || beginning.length < 2) return null
  const rows = beginning.some(({ row }) => row === format.headingRow)
    ? beginning
    : [...beginning, { row: format.headingRow, cells: [] }]
  return (
    <NativeSelect
      label={t(($) => $.headingRow)}
      description={t(($) => $.headingRowHint)}
      data={rows.map(({ row, cells }) => ({ value: String(row), label: labelOf(row, cells) }))}
      value={isBusy && wanted !== null ? wanted : String(format.headingRow)}
      aria-busy={isBusy}
      onChange={({ currentTarget: { value } }) => {
        if (isBusy) return
        setWanted(value)
        onChange({ headingRow: Number(value) })
      }}
    />
  )
}

const longestLabel = 80

function labelOf(row: number, cells: readonly string[]): string {
  const text = cells.filter((cell) => cell !== "").join(" · ")
  const shown = text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text
  return t(($) => $.rowIs, { row: number(row), text: shown || t(($) => $.noText) })
}
