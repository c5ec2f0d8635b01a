import { Alert, Code, Text } from "@mantine/core"
import { t } from "../texts"

/** Says where the setup link of a server without an admin is, and how to print a new one. */
export const SetupHelp = () => (
  <Alert color="cyan" title={t(($) => $.account.noAdmin)} role="status">
    <Text size="sm">{t(($) => $.account.setUpLink)}</Text>
    <Text size="sm" mt="xs">
      {t(($) => $.account.newSetUpLink)}
    </Text>
    <Code block mt="xs">
      kontor setup-link
    </Code>
  </Alert>
)
