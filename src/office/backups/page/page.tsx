import { Alert, Progress as Bar, Button, Code, Group, List, Stack, Text } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import type { BackupFiles } from "../model"
import { useRead } from "../../../console/api/hooks"
import { ApiError, type Method } from "../../../console/api/send"
import { AdminOnly, Facts, Loaded, Page, Section } from "../../../console/parts/page"
import { CopyField } from "../../../console/parts/copy-field"
import { saveFile } from "../../../console/parts/files"
import { TextAround } from "../../../console/parts/more-menu"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { restoreCommand } from "./restore-command"
import { megabytes, moment } from "../../../console/format"
import { IconDownload } from "../../../console/parts/icons"
import { useState } from "react"
import { callForBlob, messageOf, type Progress } from "../../../console/api/client"
import { useJob } from "../../../console/lists/job-progress"

const Backups = () => (
  <AdminOnly title={common(($) => $.menu.backups)}>
    <BackupsPage />
  </AdminOnly>
)
export default Backups

function BackupsPage() {
  const files = useRead<BackupFiles>("/backups")
  const hasNoFile = files.error instanceof ApiError && files.error.code === "NOT_SUPPORTED"
  return (
    <Page title={common(($) => $.menu.backups)}>
      <Stack maw={760}>
        {hasNoFile ? <OtherPrograms /> : <Downloading upload={files.data?.upload ?? null} />}
        <Section title={t(($) => $.exportTitle)}>
          <Text size="sm">{t(($) => $.exportText)}</Text>
          <DownloadEverything />
        </Section>
        {!hasNoFile && <Explaining files={files} />}
      </Stack>
    </Page>
  )
}

/** PostgreSQL has its own programs for backups. */
const OtherPrograms = () => (
  <Section title={t(($) => $.postgresTitle)}>
    <Text size="sm">{t(($) => $.postgresText)}</Text>
    <Text size="sm">{t(($) => $.postgresSecrets)}</Text>
  </Section>
)

const Downloading = ({ upload }: Pick<BackupFiles, "upload">) => (
  <>
    {upload && <Uploads {...upload} />}
    <Section title={t(($) => $.downloadTitle)}>
      <Text size="sm">{t(($) => $.downloadText)}</Text>
      <DownloadBackup />
    </Section>
  </>
)

const Explaining = ({ files }: { files: UseQueryResult<BackupFiles> }) => (
  <>
    <Section title={t(($) => $.contentsTitle)}>
      <Contents />
    </Section>
    <Section title={t(($) => $.restoreTitle)}>
      <Loaded query={files}>{(data) => <Restoring {...data} />}</Loaded>
    </Section>
    <Section title={t(($) => $.automaticTitle)}>
      <Scheduling />
    </Section>
  </>
)

const Contents = () => (
  <>
    <List size="sm">
      <List.Item>{t(($) => $.included)}</List.Item>
      <List.Item>{t(($) => $.notIncluded)}</List.Item>
    </List>
    <Text size="sm">{t(($) => $.storing)}</Text>
  </>
)

function Restoring({ database, latestBackup, upload }: BackupFiles) {
  const file = t(($) => $.file)
  const latest = latestBackup ?? upload?.latest ?? null
  if (database === null) return <Text size="sm">{t(($) => $.inMemory)}</Text>
  return (
    <>
      <Text size="sm">{t(($) => $.stopServer)}</Text>
      <CopyField
        label={t(($) => $.command)}
        copy={t(($) => $.copyCommand)}
        value={restoreCommand(database, latest, file)}
        isLong
      />
      <Text size="sm">{latest === null ? t(($) => $.replaceFile, { file }) : t(($) => $.replacePath)}</Text>
      {latest !== latestBackup && <Text size="sm">{t(($) => $.uploadRestore)}</Text>}
      <Text size="sm">{t(($) => $.afterRestore)}</Text>
    </>
  )
}

const Scheduling = () => (
  <>
    <Text size="sm">{t(($) => $.automaticText)}</Text>
    <Code block style={{ whiteSpace: "pre-wrap" }}>
      kontor serve --backup-dir /mnt/backup --backup-every 24h --backup-keep 14
    </Code>
    <Text size="sm">
      <TextAround text={(option) => t(($) => $.every, { option })}>
        <Code>--backup-every</Code>
      </TextAround>
    </Text>
    <Text size="sm">{t(($) => $.uploadText)}</Text>
    <Code block style={{ whiteSpace: "pre-wrap" }}>
      kontor serve --backup-to s3://bucket/prefix
    </Code>
  </>
)

type Upload = NonNullable<BackupFiles["upload"]>

/** The uploads of automatic backups: where they are, and why the last one failed. */
const Uploads = ({ target, latest, isEncrypted, error }: Upload) => (
  <Section title={t(($) => $.uploadTitle)}>
    {error && <Failure {...error} />}
    <Facts
      columns={1}
      of={[
        { label: t(($) => $.uploadTarget), value: target },
        { label: t(($) => $.uploadLatest), value: latest ?? t(($) => $.uploadNone) },
        {
          label: t(($) => $.uploadEncryption),
          value: isEncrypted ? t(($) => $.uploadEncrypted) : t(($) => $.uploadPlain),
        },
      ]}
    />
  </Section>
)

const Failure = ({ code, message, failedAt }: NonNullable<Upload["error"]>) => (
  <Alert color="red" role="status" title={t(($) => $.uploadFailed, { time: moment(failedAt) })}>
    <Text size="sm">{t(($) => $.uploadErrors[code])}</Text>
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {t(($) => $.uploadDetails, { message })}
    </Text>
  </Alert>
)

type Props = {
  method: Method
  path: string
  /** The name of the file, if the server gives none. */
  name: string
  label: string
  /** What happens until the first bytes arrive. */
  preparing: string
  failed: string
  /** The server's message for 503 is about writes. This is what nearly always is the cause here. */
  busy: string
}

const DownloadBackup = () => (
  <Download
    method="POST"
    path="/backups"
    name="kontor.db"
    label={t(($) => $.download)}
    preparing={t(($) => $.creating)}
    failed={t(($) => $.failed)}
    busy={t(($) => $.busy)}
  />
)

const DownloadEverything = () => (
  <Download
    method="GET"
    path="/export.zip"
    name="kontor.zip"
    label={t(($) => $.exportAll)}
    preparing={t(($) => $.exporting)}
    failed={t(($) => $.exportFailed)}
    busy={t(($) => $.exportBusy)}
  />
)

type Outcome = { done: string } | { problem: string }

/** Requests a file from the server and saves it as a browser download. */
function useDownload({ method, path, name, busy }: Props) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { job, start } = useJob<{ progress: Progress | null }>()
  const download = () =>
    start(async (signal, show) => {
      setOutcome(null)
      show({ progress: null })
      try {
        const onProgress = (progress: Progress) => show({ progress })
        const { blob, name: given } = await callForBlob(method, path, { signal, onProgress })
        saveFile(blob, given ?? name)
        const size = megabytes(blob.size)
        setOutcome({ done: t(($) => $.downloaded, { name: given ?? name, size }) })
      } catch (error) {
        const isBusy = error instanceof ApiError && error.status === 503
        if (!signal.aborted) setOutcome({ problem: isBusy ? busy : messageOf(error) })
      }
    })
  return { job, outcome, download }
}

function Download(props: Props) {
  const { job, outcome, download } = useDownload(props)
  return (
    <Stack gap="sm" align="start">
      <Group gap="sm">
        <Button leftSection={<IconDownload size={16} />} loading={job !== null} onClick={download}>
          {props.label}
        </Button>
        {job && (
          <Button variant="default" onClick={job.onStop}>
            {common(($) => $.lists.stop)}
          </Button>
        )}
      </Group>
      <Text size="sm" role="status">
        {job && (job.progress ? inWords(job.progress) : props.preparing)}
        {outcome && "done" in outcome && outcome.done}
      </Text>
      {job?.progress && <Share {...job.progress} />}
      {outcome && "problem" in outcome && (
        <Alert color="red" role="alert" title={props.failed} w="100%">
          {outcome.problem}
        </Alert>
      )}
    </Stack>
  )
}

/** How much of the file has arrived, if its size is known. */
const Share = ({ loaded, total }: Progress) =>
  total !== null && <Bar w="100%" value={(loaded / total) * 100} aria-label={t(($) => $.progress)} />

const inWords = ({ loaded, total }: Progress): string =>
  total === null
    ? t(($) => $.loading, { loaded: megabytes(loaded) })
    : t(($) => $.loadingOf, { loaded: megabytes(loaded), total: megabytes(total) })
