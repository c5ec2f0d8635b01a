import { Code, List, Stack, Text } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import type { BackupFiles } from "../model"
import { useRead } from "../../../console/api/hooks"
import { ApiError } from "../../../console/api/send"
import { AdminOnly } from "../../../console/parts/admin-only"
import { CopyField } from "../../../console/parts/copy-field"
import { Loaded } from "../../../console/parts/loaded"
import { Page } from "../../../console/parts/page"
import { Section } from "../../../console/parts/section"
import { TextAround } from "../../../console/parts/text-around"
import { t } from "../../../console/texts"
import { DownloadBackup, DownloadEverything } from "./download"
import { restoreCommand } from "./restore-command"
import { Uploads } from "./uploads"

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
