import { ActionIcon, Button } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconDownload } from "../parts/icons"
import { t } from "../texts"
import { ExportMenu } from "./export-menu"
import type { Exporting } from "./use-export"

/** The button that exports a list. A narrow window has no room for its text. */
export function ExportList({ exporting: { job, exportAll } }: { exporting: Exporting }) {
  const isWide = useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false })
  const name = t(($) => $.lists.exportAll)
  const given = { variant: "default", disabled: job !== null, "aria-label": name } as const
  return (
    <ExportMenu isBusy={job !== null} onExport={exportAll}>
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
