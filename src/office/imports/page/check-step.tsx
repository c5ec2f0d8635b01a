import { Button, Checkbox, Group, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { number } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { t } from "../../../console/texts"
import { errorInWords } from "./error-in-words"
import { Faults } from "./faults"
import { importKinds, type Import } from "./kinds"
import { missingIn } from "./missing"
import { ModeChoice } from "./mode-choice"
import { ImportProgress } from "./progress"
import { Step } from "./step"
import { hasEnded } from "./use-import"
import type { Wizard } from "./use-wizard"

/** Shows what an import would do, with the faults of the rows, and starts it. */
export function CheckStep({ wizard }: { wizard: Wizard }) {
  const { sending, check, checked } = wizard
  const [isSkipping, setSkipping] = useState(false)
  const { data } = check
  const result = data && hasEnded(data) && !check.isReading ? data : null
  const canSkip = result !== null && result.counts.invalid > 0 && result.counts.valid > 0
  const isFine = result?.status === "finished" && (result.counts.invalid === 0 || (canSkip && isSkipping))
  const rows = isFine ? result.counts.valid : 0
  return (
    <Step number={3} title={t(($) => $.imports.checkTitle, { name: checked?.file.name ?? "" })}>
      {checked && importKinds[checked.settings.kind].hasModes && (
        <ModeChoice of={checked.settings} onChange={wizard.setMode} isBusy={sending.isSending} />
      )}
      {data && !result && <ImportProgress of={data} />}
      <Summary result={result} />
      {result && <Faults of={result} />}
      {canSkip && (
        <Checkbox
          label={t(($) => $.imports.skipInvalid, { shown: number(result.counts.invalid) })}
          checked={isSkipping}
          onChange={({ currentTarget }) => setSkipping(currentTarget.checked)}
        />
      )}
      <ErrorAlert message={sending.error} />
      <Group>
        <Button variant="default" onClick={() => wizard.goBack("columns")}>
          {t(($) => $.imports.back)}
        </Button>
        <Button variant="default" onClick={() => wizard.goBack("file")}>
          {t(($) => $.imports.otherFile)}
        </Button>
        <StartButton wizard={wizard} rows={rows} isSkipping={canSkip && isSkipping} />
      </Group>
    </Step>
  )
}

type StartProps = { wizard: Wizard; rows: number; isSkipping: boolean }

const StartButton = ({ wizard: { sending, start }, rows, isSkipping }: StartProps) => (
  <BusyButton isBusy={sending.isSending} disabled={rows === 0} onClick={() => start(isSkipping)}>
    {rows === 0
      ? t(($) => $.imports.startNone)
      : t(($) => $.imports.start, { count: rows, shown: number(rows) })}
  </BusyButton>
)

/** What the check has found. It is announced when the check ends. */
const Summary = ({ result }: { result: Import | null }) => (
  <div role="status">
    {result?.status === "failed" && <ErrorAlert message={whyFailed(result)} />}
    {result?.status === "finished" && (
      <Stack gap={4}>
        <Text fw={600}>{summaryOf(result)}</Text>
        <Text size="sm">{effectOf(result)}</Text>
        {result.counts.invalid > 0 && <Text size="sm">{t(($) => $.imports.invalidHint)}</Text>}
      </Stack>
    )}
  </div>
)

/** Why the rows could not be checked. The mode may need a column that the file does not have. */
const whyFailed = ({ kind, mode, columns, error }: Import): string | null =>
  missingIn(
    kind,
    columns.map(({ field }) => field),
    mode,
  ) ??
  (error && errorInWords(error))

function summaryOf({ counts: { valid, invalid } }: Import): string {
  const fine = t(($) => $.imports.valid, { count: valid, shown: number(valid) })
  if (invalid === 0) return fine
  return `${fine} ${t(($) => $.imports.invalid, { count: invalid, shown: number(invalid) })}`
}

/** What the import would do with the rows that are fine. */
const effectOf = ({ counts: { created, updated, unchanged } }: Import): string =>
  t(($) => $.imports.effect, {
    created: number(created),
    updated: number(updated),
    unchanged: number(unchanged),
  })
