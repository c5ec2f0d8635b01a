import { Alert, Code, Text } from "@mantine/core"

/** Says where the setup link of a server without an admin is, and how to print a new one. */
export const SetupHelp = () => (
  <Alert color="cyan" title="Kontor has no admin yet" role="status">
    <Text size="sm">
      Open the setup link to create the first admin. The command "kontor serve" printed it when the server
      started: look in its terminal or in its log.
    </Text>
    <Text size="sm" mt="xs">
      To print a new setup link, run this command on the machine of the server, for the same database file as
      "kontor serve":
    </Text>
    <Code block mt="xs">
      kontor setup-link
    </Code>
  </Alert>
)
