import { Button, Center, Group, List, Paper, Stack, Text, Title } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { call, messageOf } from "../../api/client"
import { useChange, useMay, useRead } from "../../api/hooks"
import type { Scope } from "../../api/types"
import { moment } from "../../format"
import { confirm } from "../../parts/confirm"
import { Facts } from "../../parts/facts"
import { Loaded } from "../../parts/loaded"
import { Page } from "../../parts/page"
import { scopeSentences } from "../../parts/rights-in-words"

type Connection = {
  id: string
  clientName: string
  scopes: Scope[]
  createdAt: string
  lastUsedAt: string | null
}

/** The apps that act for the user. Each can be disconnected. */
export default function Connections() {
  const query = useRead<Connection[]>("/auth/grants")
  return (
    <Page title="Connected apps">
      <Loaded query={query}>
        {(connections) =>
          connections.length === 0 ? (
            <NoneYet />
          ) : (
            <Stack maw={760}>
              <Text size="sm">These apps can act for you, within the permissions you gave them.</Text>
              {connections.map((connection) => (
                <ConnectedApp key={connection.id} of={connection} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

const NoneYet = () => (
  <Center py={64}>
    <Stack align="center" gap="sm" maw={460}>
      <Title order={2} size="h4">
        No connected apps yet
      </Title>
      <Text c="dimmed" ta="center">
        An app, such as a web shop or accounting software, can ask for permission to act for you in Kontor.
        You sign in on a Kontor page, so the app never sees your password. Connected apps are listed here, and
        you can disconnect them at any time.
      </Text>
    </Stack>
  </Center>
)

function ConnectedApp({ of: { id, clientName, scopes, createdAt, lastUsedAt } }: { of: Connection }) {
  const mayDisconnect = useMay()("own", "delete")
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
          {clientName}
        </Title>
        {mayDisconnect && <Disconnect id={id} clientName={clientName} />}
      </Group>
      <Text size="sm">This app can:</Text>
      <List size="sm" mb="sm">
        {scopes.map((scope) => (
          <List.Item key={scope}>{scopeSentences[scope]}</List.Item>
        ))}
      </List>
      <Facts
        of={[
          { label: "Connected since", value: moment(createdAt) },
          { label: "Last used", value: lastUsedAt ? moment(lastUsedAt) : "Never" },
        ]}
      />
    </Paper>
  )
}

function Disconnect({ id, clientName }: Pick<Connection, "id" | "clientName">) {
  const disconnect = useChange(() => call("DELETE", `/auth/grants/${id}`))
  const ask = async () => {
    const text = "The app loses access immediately. To use it again, you must connect it again."
    if (!(await confirm({ title: `Disconnect ${clientName}?`, text, action: "Disconnect" }))) return
    disconnect.mutate(undefined, {
      onSuccess: () => notifications.show({ message: `${clientName} was disconnected.`, color: "teal" }),
      onError: (error) => notifications.show({ message: messageOf(error), color: "red" }),
    })
  }
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Disconnect ${clientName}`}
      loading={disconnect.isPending}
      onClick={ask}
    >
      Disconnect
    </Button>
  )
}
