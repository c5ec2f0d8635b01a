import { Button, Group, Table, Text } from "@mantine/core"
import { IconDownload } from "../../../../console/parts/icons"
import { useState } from "react"
import { number } from "../../../../console/format"
import { BusyButton } from "../../../../console/parts/busy-button"
import { tellError } from "../../../../console/parts/tell"
import { t as common, errorTexts } from "../../../../console/texts"
import { t } from "../texts"
import { type Import, nameOfField } from "../kinds"
import { escapeCsv } from "../../../../shared/sheet-escape"
import { callForText, messageOf } from "../../../../console/api/client"
import { csvStyleOf } from "../../../../console/lists/export-menu"
import { saveFile } from "../../../../console/parts/files"
import type { ErrorParams, FieldError } from "../../../../core/lib/refusal"
import type { Warning } from "../../../../console/api/types"
import { detailIn, detailMessage, errorMessage, warningMessage } from "../../../../console/texts/errors"
import type { ImportErrorReason, ImportFaultCode } from "../../faults"
import { megabytes, shownParams } from "../params"
import { ApiError } from "../../../../console/api/send"
import { jobErrorInWords } from "../../../jobs/page/ended"

/** The number of faults that are shown at first, and added by the button below them. */
const step = 50

/** What is wrong in which row. A file has all faults. */
export function Faults({ of }: { of: Import }) {
  const [most, setMost] = useState(step)
  const { faults, faultCount } = of
  if (faultCount === 0) return null
  const shown = faults.slice(0, most)
  return (
    <div>
      <FaultsTable faults={shown} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {common(($) => $.lists.shownOf, { shown: number(shown.length), total: number(faultCount) })}
        </Text>
        <Group gap="xs">
          {shown.length < faults.length && (
            <Button variant="default" onClick={() => setMost(most + step)}>
              {common(($) => $.common.showMore)}
            </Button>
          )}
          <DownloadFaults of={of} />
        </Group>
      </Group>
    </div>
  )
}

/** What should be known of rows that are imported. Those that may exist already are told apart. */
export function Warnings({ of: { warnings, warningCount } }: { of: Import }) {
  const [most, setMost] = useState(step)
  const known = warnings.filter(({ code }) => code !== "POSSIBLE_DUPLICATE")
  const count = warningCount - (warnings.length - known.length)
  if (count === 0) return null
  const shown = known.slice(0, most)
  return (
    <div>
      <Text size="sm" mb="xs">
        {t(($) => $.warned, { count, shown: number(count) })}
      </Text>
      <FaultsTable faults={shown} isWarning />
      {shown.length < known.length && (
        <Button variant="default" mt="sm" onClick={() => setMost(most + step)}>
          {common(($) => $.common.showMore)}
        </Button>
      )}
    </div>
  )
}

type TableProps = Pick<Import, "faults"> & { isWarning?: boolean }

const FaultsTable = ({ faults, isWarning = false }: TableProps) => (
  <Table verticalSpacing={4} aria-label={t(($) => (isWarning ? $.warnings : $.faults))}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col" className="right" w={64}>
          {t(($) => $.row)}
        </Table.Th>
        <Table.Th scope="col">{t(($) => $.column)}</Table.Th>
        <Table.Th scope="col">{t(($) => (isWarning ? $.warning : $.fault))}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {faults.map((fault, i) => (
        <Table.Tr key={i}>
          <Table.Th scope="row" className="right" fw="normal">
            {fault.row ?? "–"}
          </Table.Th>
          <Table.Td style={{ overflowWrap: "anywhere" }}>{fault.column ?? "–"}</Table.Td>
          <Table.Td style={{ overflowWrap: "anywhere" }}>
            {isWarning ? warningMessage(fault as Warning) : faultInWords(fault)}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

function DownloadFaults({ of }: { of: Import }) {
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      await saveFaults(of)
    } catch (error) {
      tellError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <BusyButton
      variant="default"
      leftSection={<IconDownload size={16} />}
      isBusy={isBusy}
      onClick={() => void download()}
    >
      {t(($) => $.downloadFaults)}
    </BusyButton>
  )
}

/** Saves all faults of an import as a CSV file in the user's language. An import has only the first ones. */
async function saveFaults({ id, fileName }: Pick<Import, "id" | "fileName">): Promise<void> {
  const text = await callForText(`/imports/${id}/faults?format=ndjson`)
  const faults = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Import["faults"][number])
  const { delimiter } = csvStyleOf(navigator.languages)
  const titles = [t(($) => $.row), t(($) => $.column), t(($) => $.field), t(($) => $.fault)]
  const rows = faults.map((fault) => [
    String(fault.row ?? ""),
    fault.column ?? "",
    fault.field === null ? "" : nameOfField(fault.field),
    faultInWords(fault),
  ])
  const lines = [titles, ...rows].map((cells) => lineOf(cells, delimiter))
  // By the byte order mark, Excel recognizes UTF-8.
  const blob = new Blob(["\ufeff", ...lines], { type: "text/csv;charset=utf-8" })
  const name = (fileName ?? id).replace(/\.[^.]*$/, "")
  saveFile(
    blob,
    t(($) => $.faultsFile, { name }),
  )
}

const lineOf = (cells: readonly string[], delimiter: string): string =>
  `${cells.map((cell) => quoted(escapeCsv(cell))).join(delimiter)}\r\n`

const quoted = (cell: string): string => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

type Fault = Import["faults"][number]
type FaultCode = ImportFaultCode

/** What is wrong with a row, in the user's language. */
function faultInWords({ field, code = "", message, params = {} }: Fault): string {
  if (isOfFile(code)) return `${t(($) => $.faultIn[code], shownParams(params))}.`
  if (field === null) return errorMessage({ code, message })
  const name = nameOfField(field)
  const detail = { field, code: code as FieldError["code"], message, params: params as ErrorParams }
  // The server begins its English sentence with the name of the field in the API.
  if (!errorTexts) {
    const text = detailMessage(detail, message)
    return text.startsWith(`${field} `) ? `${name}${text.slice(field.length)}` : text
  }
  return `${name}: ${detailIn(errorTexts, detail)}`
}

/** The codes that are not those of a field's errors. */
const fileCodes: Record<FaultCode, true> = {
  NOT_A_NUMBER: true,
  AMBIGUOUS_NUMBER: true,
  OTHER_CURRENCY: true,
  NOT_A_DATE: true,
  AMBIGUOUS_DATE: true,
  MONTH_FIRST: true,
  NOT_A_BOOLEAN: true,
  NOT_A_LIST: true,
  NOT_AN_OBJECT: true,
  FORMULA_ERROR: true,
  CELL_TOO_LONG: true,
  TOO_MANY_CELLS: true,
  IN_FILE_TWICE: true,
}

const isOfFile = (code: string): code is FaultCode => Object.hasOwn(fileCodes, code)

type Failure = NonNullable<Import["error"]>

/** Why an import has failed. */
export function errorInWords(failure: Failure): string {
  const { code, message, params = {} } = failure
  if (code === "CANCELLED") return t(($) => $.cancelled)
  if (code === "IMPORT_INVALID") return wrongInWords(Number(params.invalid), Number(params.rows))
  // Without a reason, a sentence about the file is the server's own, because its code says less.
  return ofFile(failure) ?? (code === "VALIDATION_ERROR" ? message : jobErrorInWords(failure))
}

function wrongInWords(invalid: number, rows: number): string {
  if (rows === 1) return t(($) => $.onlyRowWrong)
  return t(($) => $.rowsWrong, { count: invalid, shown: number(invalid), total: number(rows) })
}

/** Why a file could not be sent. */
export function sendingErrorInWords(error: unknown): string {
  return (error instanceof ApiError ? ofFile(error) : null) ?? messageOf(error)
}

/** What is wrong with the file, if the error says it. */
function ofFile({ code, params = {} }: Pick<ApiError, "code"> & Pick<Failure, "params">): string | null {
  const { reason, max } = params
  if (isReason(reason)) return t(($) => $.refused[reason], shownParams(params))
  if (code === "PAYLOAD_TOO_LARGE" && typeof max === "number")
    return t(($) => $.refused.TOO_LARGE, shownParams({ max: megabytes(max) }))
  return null
}

const isReason = (reason: unknown): reason is ImportErrorReason =>
  typeof reason === "string" &&
  Object.hasOwn(
    t(($) => $.refused, { returnObjects: true }),
    reason,
  )
