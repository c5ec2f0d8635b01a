import {
  Anchor,
  Badge,
  Button,
  Checkbox,
  FileButton,
  Group,
  NativeSelect,
  Radio,
  Stack,
  Table,
  Text,
} from "@mantine/core"
import { useRef, useState } from "react"
import { Link, useLocation, useSearchParams } from "wouter"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { Loaded, OnlyFor, Page, Section } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { ColumnsStep } from "./columns-step"
import {
  type DuplicateChoice,
  type Import,
  type ImportKind,
  importKinds,
  type ImportMode,
  kindNames,
  mayHaveDuplicates,
  readKind,
} from "./kinds"
import { type Check, missingIn, useWizard, type Wizard } from "./use-wizard"
import { useQuery } from "@tanstack/react-query"
import { call, messageOf } from "../../../console/api/client"
import { moment, number } from "../../../console/format"
import { colourOf, statusInWords } from "./status"
import { useMay } from "../../../console/api/hooks"
import { useDrop } from "../../../console/parts/files"
import { activityIn } from "./activity"
import { errorInWords, Faults, Warnings } from "./found/faults"
import { Step } from "./step"
import { t as found } from "./found/texts"
import { ImportWarnings } from "./found/warnings"
import { acceptedFiles } from "./upload"
import { skippedInWords } from "./status"
import { BusyButton } from "../../../console/parts/busy-button"
import { ImportProgress } from "./progress"
import { hasEnded } from "./import"

/** Imports records from a file: the file, its columns, a check of all rows, and then the import itself. */
export default function ImportPage() {
  const [params] = useSearchParams()
  const kind = readKind(params.get("kind"))
  const title = t(($) => $.title)
  const { parent } = importKinds[kind]
  return (
    <OnlyFor area="items" scope="write" title={title} parent={parent} sentence={t(($) => $.onlyFor)}>
      <Page title={title} parent={parent}>
        <Stack maw={960}>
          <WizardSteps kind={kind} />
        </Stack>
      </Page>
    </OnlyFor>
  )
}

function WizardSteps({ kind }: { kind: ImportKind }) {
  const [, go] = useLocation()
  const wizard = useWizard(kind)
  const [isFirst, setFirst] = useState(true)
  const { recognized } = wizard.check
  if (wizard.step !== "file" && isFirst) setFirst(false)
  if (wizard.step === "columns" && recognized) return <ColumnsStep wizard={wizard} recognized={recognized} />
  if (wizard.step === "check") return <CheckStep wizard={wizard} />
  const setKind = (next: ImportKind) => go(`/import?kind=${next}`, { replace: true })
  return (
    <>
      <FileStep wizard={wizard} kind={kind} onKind={setKind} isFirst={isFirst} />
      <RecentImports />
    </>
  )
}

const mostShown = 10

/** The newest imports, without the checks before them. */
function RecentImports() {
  const query = useQuery({
    queryKey: ["imports"],
    queryFn: async () => (await call<Import[]>("GET", "/imports?dryRun=false")).data,
    // An import that has just begun is listed.
    staleTime: 0,
  })
  return (
    <Section title={t(($) => $.recent)}>
      <Loaded query={query}>
        {(all) => {
          const imports = all.slice(0, mostShown)
          return imports.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t(($) => $.noneYet)}
            </Text>
          ) : (
            <ImportsTable imports={imports} />
          )
        }}
      </Loaded>
    </Section>
  )
}

const ImportsTable = ({ imports }: { imports: Import[] }) => (
  <Table verticalSpacing={6} aria-label={t(($) => $.recent)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.file)}</Table.Th>
        <Table.Th visibleFrom="sm">{common(($) => $.common.created)}</Table.Th>
        <Table.Th className="right" visibleFrom="sm">
          {t(($) => $.rows)}
        </Table.Th>
        <Table.Th>{common(($) => $.common.status)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {imports.map((each) => (
        <Table.Tr key={each.id}>
          <Table.Td style={{ overflowWrap: "anywhere" }}>
            <Anchor component={Link} href={`/import/${each.id}`} size="sm">
              {each.fileName ?? each.id}
            </Anchor>
            <Text size="xs" c="dimmed">
              {importKinds[each.kind].title}
            </Text>
          </Table.Td>
          <Table.Td visibleFrom="sm">{moment(each.createdAt)}</Table.Td>
          <Table.Td className="right" visibleFrom="sm">
            {number(each.counts.rows)}
          </Table.Td>
          <Table.Td>
            <Badge color={colourOf(each)} variant="light" tt="none" fw={600}>
              {statusInWords(each)}
            </Badge>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

type Props = { wizard: Wizard; kind: ImportKind; onKind: (kind: ImportKind) => void; isFirst: boolean }

/** Asks what to import, and takes the file. */
function FileStep({ wizard, kind, onKind, isFirst }: Props) {
  const may = useMay()
  const { sending, check, choose } = wizard
  const kinds = kindNames.filter((each) => may(importKinds[each].right.area, importKinds[each].right.scope))
  const isBusy = sending.isSending || check.isReading
  const error = sending.error ?? (isBusy ? null : problemIn(check))
  return (
    <Step number={1} title={t(($) => $.chooseTitle)} takesFocus={!isFirst}>
      <NativeSelect
        label={t(($) => $.what)}
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
                {common(($) => $.lists.stop)}
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
      <Text size="sm">{t(($) => $.dropHint)}</Text>
      <Text size="sm" c="dimmed">
        {t(($) => $.limits)}
      </Text>
      <FileButton accept={acceptedFiles} resetRef={resetInput} onChange={choose}>
        {(props) => (
          <Button {...props} loading={isBusy}>
            {t(($) => $.chooseFile)}
          </Button>
        )}
      </FileButton>
    </Stack>
  )
}

/** Shows what an import would do, with the faults of the rows, and starts it. */
function CheckStep({ wizard }: { wizard: Wizard }) {
  const { sending, check, checked } = wizard
  const [isSkipping, setSkipping] = useState(false)
  const { data } = check
  const result = data && hasEnded(data) && !check.isReading ? data : null
  const canSkip = result !== null && result.counts.invalid > 0 && result.counts.valid > 0
  const isFine = result?.status === "finished" && (result.counts.invalid === 0 || (canSkip && isSkipping))
  const rows = isFine ? result.counts.valid : 0
  return (
    <Step number={3} title={t(($) => $.checkTitle, { name: checked?.file.name ?? "" })}>
      {checked && importKinds[checked.settings.kind].hasModes && (
        <ModeChoice of={checked.settings} onChange={wizard.setMode} isBusy={sending.isSending} />
      )}
      {data && !result && <ImportProgress of={data} />}
      <Summary result={result} />
      <SkippedRows wizard={wizard} />
      {result && <Faults of={result} />}
      {result && <ImportWarnings of={result} choice={checked?.settings.duplicates} />}
      <Duplicates wizard={wizard} result={result} />
      {result && <Warnings of={result} />}
      {canSkip && (
        <Checkbox
          label={t(($) => $.skipInvalid, { shown: number(result.counts.invalid) })}
          checked={isSkipping}
          onChange={({ currentTarget }) => setSkipping(currentTarget.checked)}
        />
      )}
      <ErrorAlert message={sending.error} />
      <Group>
        <Button variant="default" onClick={() => wizard.goBack("columns")}>
          {t(($) => $.back)}
        </Button>
        <Button variant="default" onClick={() => wizard.goBack("file")}>
          {t(($) => $.otherFile)}
        </Button>
        <StartButton wizard={wizard} rows={rows} isSkipping={canSkip && isSkipping} />
      </Group>
    </Step>
  )
}

type StartProps = { wizard: Wizard; rows: number; isSkipping: boolean }

const StartButton = ({ wizard: { sending, start }, rows, isSkipping }: StartProps) => (
  <BusyButton isBusy={sending.isSending} disabled={rows === 0} onClick={() => start(isSkipping)}>
    {rows === 0 ? t(($) => $.startNone) : t(($) => $.start, { count: rows, shown: number(rows) })}
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
        {result.counts.invalid > 0 && <Text size="sm">{t(($) => $.invalidHint)}</Text>}
      </Stack>
    )}
  </div>
)

/** The rows of sums that are left out, and a way to import them. A new choice is shown at once. */
function SkippedRows({ wizard: { check, checked, sending, setSkipTotals } }: { wizard: Wizard }) {
  const isSkipping = checked?.settings.skipTotals !== false
  const [wanted, setWanted] = useState(isSkipping)
  const rows = check.recognized?.skippedRows ?? []
  if (rows.length === 0 && isSkipping && wanted) return null
  const choose = (skipTotals: boolean) => {
    if (sending.isSending) return
    setWanted(skipTotals)
    setSkipTotals(skipTotals)
  }
  return (
    <Stack gap={4}>
      {rows.length > 0 && <Text size="sm">{skippedInWords(rows)}</Text>}
      <Checkbox
        label={t(($) => $.skipTotals)}
        checked={sending.isSending ? wanted : isSkipping}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    </Stack>
  )
}

/** What becomes of rows that are records which exist already. It is asked as soon as there may be some. */
function Duplicates({ wizard, result }: { wizard: Wizard; result: Import | null }) {
  const { checked, sending, setDuplicates } = wizard
  const [isShown, setShown] = useState(false)
  const isFound = result?.warnings.some(
    ({ code, params }) => code === "POSSIBLE_DUPLICATE" && params?.existing !== undefined,
  )
  if (isFound && !isShown) setShown(true)
  if (!checked || !isShown || !mayHaveDuplicates(checked.settings)) return null
  return (
    <Choice
      label={found(($) => $.duplicatesTitle)}
      description={found(($) => $.duplicatesHint)}
      values={duplicateChoices}
      value={checked.settings.duplicates}
      textOf={(each) => ({ label: found(($) => $.duplicates[each]) })}
      onChange={setDuplicates}
      isBusy={sending.isSending}
    />
  )
}

const duplicateChoices: readonly DuplicateChoice[] = ["skip", "update", "create"]

/** Why the rows could not be checked. The mode may need a column that the file does not have. */
const whyFailed = ({ kind, mode, columns, error }: Import): string | null =>
  missingIn(
    kind,
    columns.map(({ field }) => field),
    mode,
  ) ??
  (error && errorInWords(error))

function summaryOf({ counts: { valid, invalid } }: Import): string {
  const fine = t(($) => $.valid, { count: valid, shown: number(valid) })
  if (invalid === 0) return fine
  return `${fine} ${t(($) => $.invalid, { count: invalid, shown: number(invalid) })}`
}

/** What the import would do with the rows that are fine. */
const effectOf = ({ counts: { created, updated, unchanged } }: Import): string =>
  t(($) => $.effect, {
    created: number(created),
    updated: number(updated),
    unchanged: number(unchanged),
  })

const modes: readonly ImportMode[] = ["create", "update", "upsert"]

type ModeProps = {
  of: { kind: ImportKind; mode: ImportMode }
  onChange: (mode: ImportMode) => void
  isBusy: boolean
}

/** What a mode does. Kontor assigns the numbers of customers, so a number cannot create one. */
function meaningOf(kind: ImportKind, mode: ImportMode): string {
  if (kind === "customers" && mode === "upsert") return t(($) => $.upsertCustomers)
  return mayHaveDuplicates({ kind, mode }) ? found(($) => $.createCustomers) : t(($) => $.modeMeaning[mode])
}

const ModeChoice = ({ of: { kind, mode }, onChange, isBusy }: ModeProps) => (
  <Choice
    label={t(($) => $.modeTitle)}
    values={modes}
    value={mode}
    textOf={(each) => ({ label: t(($) => $.mode[each]), description: meaningOf(kind, each) })}
    onChange={onChange}
    isBusy={isBusy}
  />
)

type ChoiceProps<V extends string> = {
  label: string
  description?: string
  values: readonly V[]
  value: V
  textOf: (value: V) => { label: string; description?: string }
  onChange: (value: V) => void
  isBusy: boolean
}

/** Shows a new choice at once, and the old one again if the file could not be checked. */
function Choice<V extends string>({ label, description, values, value, textOf, ...rest }: ChoiceProps<V>) {
  const { onChange, isBusy } = rest
  const [wanted, setWanted] = useState(value)
  const choose = (next: string) => {
    const chosen = values.find((each) => each === next)
    if (!chosen || isBusy) return
    setWanted(chosen)
    onChange(chosen)
  }
  return (
    <Radio.Group label={label} description={description} value={isBusy ? wanted : value} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {values.map((each) => (
          <Radio key={each} value={each} {...textOf(each)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
