import { Code, List, Stack, Text } from "@mantine/core"
import { AdminOnly } from "../../parts/admin-only"
import { Page } from "../../parts/page"
import { Section } from "../../parts/section"
import { DownloadCopy } from "./download"

export default function Backups() {
  return (
    <AdminOnly title="Backups">
      <Page title="Backups">
        <Stack maw={760}>
          <Section title="A copy now">
            <Text size="sm">
              A copy of everything, as it is at this moment. It is checked before you get it. You can go on
              working meanwhile.
            </Text>
            <DownloadCopy />
          </Section>
          <Section title="What is in it">
            <Contents />
          </Section>
          <Section title="Going back to a copy">
            <Restoring />
          </Section>
          <Section title="Copies by the clock">
            <Scheduling />
          </Section>
        </Stack>
      </Page>
    </AdminOnly>
  )
}

const Contents = () => (
  <>
    <List size="sm">
      <List.Item>
        In it: items, stock, customers, orders, invoices, payments, users, API keys, OAuth clients, settings
        and the audit log.
      </List.Item>
      <List.Item>
        Not in it: sessions and the secrets that sign them. A copy signs nobody in. Passwords, keys and client
        secrets are in it only as digests, from which they cannot be read.
      </List.Item>
    </List>
    <Text size="sm">
      Keep it where only those come who may see the whole business, and on another machine than this one.
    </Text>
  </>
)

const Restoring = () => (
  <>
    <Text size="sm">Stop the server. Then, on its machine:</Text>
    <Code block>kontor restore FILE</Code>
    <Text size="sm">
      The database that was there is kept aside, not deleted. Start the server again. People and connected
      apps sign in again; API keys still work.
    </Text>
  </>
)

const Scheduling = () => (
  <>
    <Text size="sm">
      Whoever starts the server can have it make copies by itself. This makes one every 24 hours and keeps the
      latest 14:
    </Text>
    <Code block style={{ whiteSpace: "pre-wrap" }}>
      kontor serve --backup-dir /mnt/backup --backup-every 24h --backup-keep 14
    </Code>
    <Text size="sm">
      <Code>--backup-every</Code> takes minutes, hours or days, such as 30m, 24h or 7d.
    </Text>
  </>
)
