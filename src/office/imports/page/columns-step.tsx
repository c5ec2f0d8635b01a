import { Button, Group, Text } from "@mantine/core"
import { useState } from "react"
import { BusyButton } from "../../../console/parts/busy-button"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { t } from "../../../console/texts"
import { activityIn } from "./activity"
import { ColumnsTable } from "./columns-table"
import { FirstRows } from "./first-rows"
import { FormatFields } from "./format-fields"
import type { Import } from "./kinds"
import { missingIn } from "./missing"
import { Step } from "./step"
import type { Wizard } from "./use-wizard"

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
  const problem = hasRows ? (isRefused ? missing : null) : t(($) => $.imports.onlyTitles)
  return (
    <Step number={2} title={t(($) => $.imports.columnsTitle, { name: recognized.fileName ?? "" })}>
      <FormatFields of={recognized} onChange={wizard.setFormat} isBusy={isBusy} />
      <FirstRows of={recognized} fields={matching.fields} />
      <ColumnsTable recognized={recognized} matching={matching} isBusy={isBusy} />
      <Text size="xs" c="dimmed">
        {t(($) => $.imports.required)}
      </Text>
      <ErrorAlert message={sending.error ?? problem} />
      <Text size="sm" role="status">
        {isBusy && activityIn(wizard)}
      </Text>
      {hasRows && missing !== null && !isRefused && <Text size="sm">{missing}</Text>}
      <Group>
        <Button variant="default" onClick={() => wizard.goBack("file")}>
          {t(($) => $.imports.otherFile)}
        </Button>
        <BusyButton isBusy={isBusy} disabled={!hasRows} onClick={goOn}>
          {t(($) => $.imports.checkRows)}
        </BusyButton>
      </Group>
    </Step>
  )
}
