import { Button, FileButton, Group, NativeSelect, Stack, Text } from "@mantine/core"
import { useRef } from "react"
import { messageOf } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { useDrop } from "../../../console/parts/use-drop"
import { t } from "../../../console/texts"
import { activityIn } from "./activity"
import { errorInWords } from "./error-in-words"
import { importKinds, kindNames, readKind, type ImportKind } from "./kinds"
import { Step } from "./step"
import { acceptedFiles } from "./upload"
import type { Check } from "./use-check"
import type { Wizard } from "./use-wizard"

type Props = { wizard: Wizard; kind: ImportKind; onKind: (kind: ImportKind) => void; isFirst: boolean }

/** Asks what to import, and takes the file. */
export function FileStep({ wizard, kind, onKind, isFirst }: Props) {
  const may = useMay()
  const { sending, check, choose } = wizard
  const kinds = kindNames.filter((each) => may(importKinds[each].right.area, importKinds[each].right.scope))
  const isBusy = sending.isSending || check.isReading
  const error = sending.error ?? (isBusy ? null : problemIn(check))
  return (
    <Step number={1} title={t(($) => $.imports.chooseTitle)} takesFocus={!isFirst}>
      <NativeSelect
        label={t(($) => $.imports.what)}
        description={importKinds[kind].hint}
        data={kinds.map((value) => ({ value, label: importKinds[value].title }))}
        value={kind}
        onChange={({ currentTarget }) => onKind(readKind(currentTarget.value))}
        disabled={isBusy}
        maw={420}
      />
      <DropZone onFile={choose} isBusy={isBusy} />
      <Group gap="sm" role="status">
        {isBusy && (
          <>
            <Text size="sm">{activityIn(wizard)}</Text>
            {sending.isSending && (
              <Button size="xs" variant="default" onClick={sending.stop}>
                {t(($) => $.lists.stop)}
              </Button>
            )}
          </>
        )}
      </Group>
      <ErrorAlert message={error} />
    </Step>
  )
}

/** Why the server could not read the file. */
function problemIn({ recognized, data, error }: Check): string | null {
  if (recognized !== null) return null
  if (data?.error) return errorInWords(data.error)
  return error && messageOf(error)
}

function DropZone({ onFile, isBusy }: { onFile: (file: File) => void; isBusy: boolean }) {
  const { isOver, ...drop } = useDrop(onFile)
  const resetInput = useRef<() => void>(null)
  const choose = (file: File | null) => {
    if (file) onFile(file)
    // Choosing the same file again must have an effect.
    resetInput.current?.()
  }
  return (
    <Stack {...drop} className={isOver ? "drop-zone is-over" : "drop-zone"} gap="sm" align="start">
      <Text size="sm">{t(($) => $.imports.dropHint)}</Text>
      <Text size="sm" c="dimmed">
        {t(($) => $.imports.limits)}
      </Text>
      <FileButton accept={acceptedFiles} resetRef={resetInput} onChange={choose}>
        {(props) => (
          <Button {...props} loading={isBusy}>
            {t(($) => $.imports.chooseFile)}
          </Button>
        )}
      </FileButton>
    </Stack>
  )
}
