import { Stack, Text } from "@mantine/core"
import { useRead } from "../../../../console/api/hooks"
import { AdminOnly, Loaded, Page } from "../../../../console/parts/page"
import type { AnsweredSettings } from "../../../settings/service"
import { MailNotice } from "../notice"
import { ServerForm } from "./server-form"
import { TextsForm } from "./texts-form"
import { t } from "./texts"

/** The set-up of mail: the server, a test of it, and the texts of messages. */
export default function MailPage() {
  return (
    <AdminOnly title={t(($) => $.title)}>
      <Existing />
    </AdminOnly>
  )
}

function Existing() {
  const query = useRead<AnsweredSettings>("/settings")
  return (
    <Page title={t(($) => $.title)}>
      <Loaded query={query}>
        {(settings) => (
          <Stack maw={860}>
            <Text size="sm">{t(($) => $.intro)}</Text>
            <MailNotice isSetUpPage />
            <ServerForm settings={settings} />
            <TextsForm settings={settings} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
