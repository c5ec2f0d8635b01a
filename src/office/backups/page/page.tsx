import { Alert, Progress as Bar, Button, Code, Group, List, Stack, Text } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import type { BackupFiles } from "../model"
import { useRead } from "../../../console/api/hooks"
import { ApiError, type Method } from "../../../console/api/send"
import { AdminOnly } from "../../../console/parts/admin-only"
import { CopyField } from "../../../console/parts/copy-field"
import { Loaded } from "../../../console/parts/loaded"
import { Page } from "../../../console/parts/page"
import { Section } from "../../../console/parts/section"
import { TextAround } from "../../../console/parts/text-around"
import { t } from "../../../console/texts"
import { restoreCommand } from "./restore-command"
import { Facts } from "../../../console/parts/facts"
import { megabytes, moment } from "../../../console/format"
import { IconDownload } from "../../../console/parts/icons"
import { useState } from "react"
import { callForBlob, messageOf, type Progress } from "../../../console/api/client"
import { useJob } from "../../../console/lists/use-job"
import { saveFile } from "../../../console/parts/save-file"

const Backups = () => (
  <AdminOnly title={t(($) => $.menu.backups)}>
    <BackupsPage />
  </AdminOnly>
)
export default Backups

function BackupsPage() {
  const files = useRead<BackupFiles>("/backups")
  const hasNoFile = files.error instanceof ApiError && files.error.code === "NOT_SUPPORTED"
  return (
    <Page title={t(($) => $.menu.backups)}>
      <Stack maw={760}>
        {hasNoFile ? <OtherPrograms /> : <Downloading upload={files.data?.upload ?? null} />}
        <Section title={t(($) => $.backups.exportTitle)}>
          <Text size="sm">{t(($) => $.backups.exportText)}</Text>
          <DownloadEverything />
        </Section>
        {!hasNoFile && <Explaining files={files} />}
      </Stack>
    </Page>
  )
}

/** PostgreSQL has its own programs for backups. */
const OtherPrograms = () => (
  <Section title={t(($) => $.backups.postgresTitle)}>
    <Text size="sm">{t(($) => $.backups.postgresText)}</Text>
    <Text size="sm">{t(($) => $.backups.postgresSecrets)}</Text>
  </Section>
)

const Downloading = ({ upload }: Pick<BackupFiles, "upload">) => (
  <>
    {upload && <Uploads {...upload} />}
    <Section title={t(($) => $.backups.downloadTitle)}>
      <Text size="sm">{t(($) => $.backups.downloadText)}</Text>
      <DownloadBackup />
    </Section>
  </>
)

const Explaining = ({ files }: { files: UseQueryResult<BackupFiles> }) => (
  <>
    <Section title={t(($) => $.backups.contentsTitle)}>
      <Contents />
    </Section>
    <Section title={t(($) => $.backups.restoreTitle)}>
      <Loaded query={files}>{(data) => <Restoring {...data} />}</Loaded>
    </Section>
    <Section title={t(($) => $.backups.automaticTitle)}>
      <Scheduling />
    </Section>
  </>
)

const Contents = () => (
  <>
    <List size="sm">
      <List.Item>{t(($) => $.backups.included)}</List.Item>
      <List.Item>{t(($) => $.backups.notIncluded)}</List.Item>
    </List>
    <Text size="sm">{t(($) => $.backups.storing)}</Text>
  </>
)

function Restoring({ database, latestBackup, upload }: BackupFiles) {
  const file = t(($) => $.backups.file)
  const latest = latestBackup ?? upload?.latest ?? null
  if (database === null) return <Text size="sm">{t(($) => $.backups.inMemory)}</Text>
  return (
    <>
      <Text size="sm">{t(($) => $.backups.stopServer)}</Text>
      <CopyField
        label={t(($) => $.backups.command)}
        copy={t(($) => $.backups.copyCommand)}
        value={restoreCommand(database, latest, file)}
        isLong
      />
      <Text size="sm">
        {latest === null ? t(($) => $.backups.replaceFile, { file }) : t(($) => $.backups.replacePath)}
      </Text>
      {latest !== latestBackup && <Text size="sm">{t(($) => $.backups.uploadRestore)}</Text>}
      <Text size="sm">{t(($) => $.backups.afterRestore)}</Text>
    </>
  )
}

const Scheduling = () => (
  <>
    <Text size="sm">{t(($) => $.backups.automaticText)}</Text>
    <Code block style={{ whiteSpace: "pre-wrap" }}>
      kontor serve --backup-dir /mnt/backup --backup-every 24h --backup-keep 14
    </Code>
    <Text size="sm">
      <TextAround text={(option) => t(($) => $.backups.every, { option })}>
        <Code>--backup-every</Code>
      </TextAround>
    </Text>
    <Text size="sm">{t(($) => $.backups.uploadText)}</Text>
    <Code block style={{ whiteSpace: "pre-wrap" }}>
      kontor serve --backup-to s3://bucket/prefix
    </Code>
  </>
)

type Upload = NonNullable<BackupFiles["upload"]>

/** The uploads of automatic backups: where they are, and why the last one failed. */
const Uploads = ({ target, latest, isEncrypted, error }: Upload) => (
  <Section title={t(($) => $.backups.uploadTitle)}>
    {error && <Failure {...error} />}
    <Facts
      columns={1}
      of={[
        { label: t(($) => $.backups.uploadTarget), value: target },
        { label: t(($) => $.backups.uploadLatest), value: latest ?? t(($) => $.backups.uploadNone) },
        {
          label: t(($) => $.backups.uploadEncryption),
          value: isEncrypted ? t(($) => $.backups.uploadEncrypted) : t(($) => $.backups.uploadPlain),
        },
      ]}
    />
  </Section>
)

const Failure = ({ code, message, failedAt }: NonNullable<Upload["error"]>) => (
  <Alert color="red" role="status" title={t(($) => $.backups.uploadFailed, { time: moment(failedAt) })}>
    <Text size="sm">{t(($) => $.backups.uploadErrors[code])}</Text>
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {t(($) => $.backups.uploadDetails, { message })}
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
    label={t(($) => $.backups.download)}
    preparing={t(($) => $.backups.creating)}
    failed={t(($) => $.backups.failed)}
    busy={t(($) => $.backups.busy)}
  />
)

const DownloadEverything = () => (
  <Download
    method="GET"
    path="/export.zip"
    name="kontor.zip"
    label={t(($) => $.backups.exportAll)}
    preparing={t(($) => $.backups.exporting)}
    failed={t(($) => $.backups.exportFailed)}
    busy={t(($) => $.backups.exportBusy)}
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
        setOutcome({ done: t(($) => $.backups.downloaded, { name: given ?? name, size }) })
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
            {t(($) => $.lists.stop)}
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
  total !== null && <Bar w="100%" value={(loaded / total) * 100} aria-label={t(($) => $.backups.progress)} />

const inWords = ({ loaded, total }: Progress): string =>
  total === null
    ? t(($) => $.backups.loading, { loaded: megabytes(loaded) })
    : t(($) => $.backups.loadingOf, { loaded: megabytes(loaded), total: megabytes(total) })
