import { Code, List, Stack, Text } from "@mantine/core"
import type { BackupFiles } from "../../../../modules/backups/model"
import { useRead } from "../../api/hooks"
import { AdminOnly } from "../../parts/admin-only"
import { CopyField } from "../../parts/copy-field"
import { Loaded } from "../../parts/loaded"
import { Page } from "../../parts/page"
import { Section } from "../../parts/section"
import { DownloadBackup } from "./download"
import { restoreCommand } from "./restore-command"

const Backups = () => (
  <AdminOnly title="Backups">
    <BackupsPage />
  </AdminOnly>
)
export default Backups

function BackupsPage() {
  const files = useRead<BackupFiles>("/backups")
  return (
    <Page title="Backups">
      <Stack maw={760}>
        <Section title="Download a backup">
          <Text size="sm">
            A backup contains all data at this moment. It is checked before the download. You can keep working
            while it runs.
          </Text>
          <DownloadBackup />
        </Section>
        <Section title="What a backup contains">
          <Contents />
        </Section>
        <Section title="Restore a backup">
          <Loaded query={files}>{(data) => <Restoring {...data} />}</Loaded>
        </Section>
        <Section title="Automatic backups">
          <Scheduling />
        </Section>
      </Stack>
    </Page>
  )
}

const Contents = () => (
  <>
    <List size="sm">
      <List.Item>
        Included: items, stock, customers, orders, invoices, payments, users, API keys, OAuth clients,
        settings and the audit log.
      </List.Item>
      <List.Item>
        Not included: sessions and their signing keys, so nobody can sign in with a backup alone. Passwords,
        API keys and client secrets are included only as hashes and cannot be read from it.
      </List.Item>
    </List>
    <Text size="sm">
      Store backups on another machine, where only people with access to all business data can read them.
    </Text>
  </>
)

function Restoring({ database, latestBackup }: BackupFiles) {
  if (database === null)
    return <Text size="sm">This demo shop is in memory. It has no file that a backup could replace.</Text>
  return (
    <>
      <Text size="sm">Stop the server. Then run this command on its machine:</Text>
      <CopyField label="Command" value={restoreCommand(database, latestBackup)} isLong />
      <Text size="sm">
        {latestBackup === null
          ? "Replace BACKUP-FILE with the path of the backup on that machine."
          : "This is the newest automatic backup. To restore another backup, replace its path."}
      </Text>
      <Text size="sm">
        The previous database is kept, not deleted. Then start the server. Users and connected apps must sign
        in again. API keys keep working.
      </Text>
    </>
  )
}

const Scheduling = () => (
  <>
    <Text size="sm">
      Start the server with these options to create a backup every 24 hours and keep the latest 14:
    </Text>
    <Code block style={{ whiteSpace: "pre-wrap" }}>
      kontor serve --backup-dir /mnt/backup --backup-every 24h --backup-keep 14
    </Code>
    <Text size="sm">
      <Code>--backup-every</Code> takes minutes, hours or days, such as 30m, 24h or 7d.
    </Text>
  </>
)
