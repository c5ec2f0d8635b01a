import { Button, Group, Loader, Menu, Text } from "@mantine/core"
import type { ReactNode } from "react"
import type { ExportFormat } from "../../office/exports/model"
import { megabytes } from "../format"
import { t } from "../texts"

export type { ExportFormat }

const formats: readonly ExportFormat[] = ["csv", "xlsx", "ndjson"]

type Props = {
  /** The button that opens the menu. */
  children: ReactNode
  isBusy: boolean
  onExport: (format: ExportFormat) => void
}

/** A menu of the formats in which the server can write a list. */
export const ExportMenu = ({ children, isBusy, onExport }: Props) => (
  <Menu position="bottom-end" disabled={isBusy}>
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown>
      {formats.map((format) => (
        <Menu.Item key={format} onClick={() => onExport(format)}>
          {t(($) => $.lists.format[format])}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

/** Shows how much of a file has arrived, with a button that stops the download. */
export const ExportProgress = ({ loaded, onStop }: { loaded: number; onStop: () => void }) => (
  <Group gap="sm" wrap="nowrap">
    <Loader size="xs" aria-hidden />
    <Text size="sm" role="status">
      {t(($) => $.lists.exporting)}
    </Text>
    <Text size="sm" c="dimmed" flex={1}>
      {loaded > 0 && megabytes(loaded)}
    </Text>
    <Button size="xs" variant="default" onClick={onStop}>
      {t(($) => $.lists.stop)}
    </Button>
  </Group>
)

/** How a spreadsheet in the user's locale expects numbers: with a decimal comma, the cells are separated by semicolons. */
export function csvStyleOf(languages: readonly string[]): { delimiter: "," | ";"; decimal: "." | "," } {
  const format = new Intl.NumberFormat([...languages], { numberingSystem: "latn" })
  const decimal = format.formatToParts(1.5).find(({ type }) => type === "decimal")?.value
  return decimal === "," ? { delimiter: ";", decimal: "," } : { delimiter: ",", decimal: "." }
}
