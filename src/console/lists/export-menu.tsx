import { ActionIcon, Button, Group, Loader, Menu, Paper, Text } from "@mantine/core"
import type { ReactNode } from "react"
import type { ExportFormat } from "../../office/exports/model"
import { megabytes, number } from "../format"
import { language, t } from "../texts"
import { callForBlob } from "../api/client"
import { kinds, type ListKind } from "../kinds"
import { saveFile } from "../parts/files"
import { tellError, tellWarning } from "../parts/tell"
import { patiently } from "./patiently"
import { useJob } from "./job-progress"
import { useMediaQuery } from "@mantine/hooks"
import { IconDownload } from "../parts/icons"

/** The files that the server can write of a list. Documents can also have a row for each line. */
const files = {
  csv: { format: "csv" },
  xlsx: { format: "xlsx" },
  ndjson: { format: "ndjson" },
  csvLines: { format: "csv", lines: "rows" },
  xlsxLines: { format: "xlsx", lines: "rows" },
} as const satisfies Record<string, { format: ExportFormat; lines?: "rows" }>
type ExportedFile = keyof typeof files

const ofRecords: readonly ExportedFile[] = ["csv", "xlsx", "ndjson"]
const ofDocuments: readonly ExportedFile[] = ["csv", "csvLines", "xlsx", "xlsxLines", "ndjson"]

type Props = {
  /** The button that opens the menu. */
  children: ReactNode
  exporting: Pick<Exporting, "job" | "offered">
  onExport: (file: ExportedFile) => void
}

/** A menu of the files that the server can write of a list. */
export const ExportMenu = ({ children, exporting: { job, offered }, onExport }: Props) => (
  <Menu position="bottom-end" disabled={job !== null}>
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown>
      {offered.map((file) => (
        <Menu.Item key={file} onClick={() => onExport(file)}>
          {t(($) => $.lists.format[file])}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

/** Shows how much of a file has arrived, with a button that stops the download. */
export const ExportProgress = ({ exporting: { job } }: { exporting: Exporting }) =>
  job && (
    <Paper withBorder p="xs" mb="sm">
      <Group gap="sm" wrap="nowrap">
        <Loader size="xs" aria-hidden />
        <Text size="sm" role="status">
          {t(($) => $.lists.exporting)}
        </Text>
        <Text size="sm" c="dimmed" flex={1}>
          {job.loaded > 0 && megabytes(job.loaded)}
        </Text>
        <Button size="xs" variant="default" onClick={job.onStop}>
          {t(($) => $.lists.stop)}
        </Button>
      </Group>
    </Paper>
  )

/** How a spreadsheet in the user's locale expects numbers: with a decimal comma, the cells are separated by semicolons. */
export function csvStyleOf(languages: readonly string[]): { delimiter: "," | ";"; decimal: "." | "," } {
  const format = new Intl.NumberFormat([...languages], { numberingSystem: "latn" })
  const decimal = format.formatToParts(1.5).find(({ type }) => type === "decimal")?.value
  return decimal === "," ? { delimiter: ";", decimal: "," } : { delimiter: ",", decimal: "." }
}

/** The most records that can be named in a query. */
const mostPicked = 100

type Query = Record<string, string>

/** Downloads the records that match the list, or some of them, as a file that the server writes. */
export function useExport(kind: ListKind, query: Query, name: string = t(($) => $.kinds[kind].file)) {
  const { job, start } = useJob<{ loaded: number }>()

  const download = (file: ExportedFile, chosen: Query) =>
    start(async (signal, show) => {
      const { format } = files[file]
      const params = new URLSearchParams({
        ...chosen,
        ...files[file],
        titles: language,
        ...(format === "csv" ? csvParameters() : {}),
      })
      const onProgress = ({ loaded }: { loaded: number }) => show({ loaded })
      onProgress({ loaded: 0 })
      try {
        const { blob } = await patiently(
          () => callForBlob("GET", `/${kind}/export?${params}`, { signal, onProgress }),
          signal,
        )
        saveFile(blob, `${name}.${format}`)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }).catch(tellError)

  return {
    job,
    offered: kinds[kind].hasLines ? ofDocuments : ofRecords,
    exportAll(file: ExportedFile): void {
      const { perPage: _, ...matching } = query
      void download(file, matching)
    },
    /** Exports records that the user has picked. They are named by their ids, because they may no longer match. */
    exportPicked(file: ExportedFile, ids: readonly string[]): void {
      const { sort = "createdAt", order = "desc" } = query
      if (ids.length > mostPicked) tellWarning(t(($) => $.lists.mostPicked, { shown: number(mostPicked) }))
      else void download(file, { sort, order, "id[in]": ids.join(",") })
    },
  }
}

export type Exporting = ReturnType<typeof useExport>

/** A spreadsheet recognizes UTF-8 by the byte order mark. */
const csvParameters = (): Query => ({ ...csvStyleOf(navigator.languages), bom: "true" })

/** The button that exports a list. A narrow window has no room for its text. */
export function ExportList({ exporting }: { exporting: Exporting }) {
  const { job, exportAll } = exporting
  const isWide = useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false })
  const name = t(($) => $.lists.exportAll)
  const given = { variant: "default", disabled: job !== null, "aria-label": name } as const
  return (
    <ExportMenu exporting={exporting} onExport={exportAll}>
      {isWide ? (
        <Button {...given} leftSection={<IconDownload size={18} />}>
          {t(($) => $.lists.export)}
        </Button>
      ) : (
        <ActionIcon {...given} size={36} title={name}>
          <IconDownload size={18} />
        </ActionIcon>
      )}
    </ExportMenu>
  )
}
