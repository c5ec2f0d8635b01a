import { Button, Center, Group, List, Paper, Stack, Text, Title } from "@mantine/core"
import { call } from "../../../console/api/client"
import { useChange, useMay, useRead } from "../../../console/api/hooks"
import type { Scope } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import { Facts, Loaded, Page } from "../../../console/parts/page"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

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
    <Page title={common(($) => $.menu.connections)}>
      <Loaded query={query}>
        {(connections) =>
          connections.length === 0 ? (
            <NoneYet />
          ) : (
            <Stack maw={760}>
              <Text size="sm">{t(($) => $.connections.intro)}</Text>
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
        {t(($) => $.connections.none)}
      </Title>
      <Text c="dimmed" ta="center">
        {t(($) => $.connections.noneText)}
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
      <Text size="sm">{t(($) => $.connections.appCan)}</Text>
      <List size="sm" mb="sm">
        {scopes.map((scope) => (
          <List.Item key={scope}>{common(($) => $.values.scopeMeaning[scope])}</List.Item>
        ))}
      </List>
      <Facts
        of={[
          { label: t(($) => $.connections.since), value: moment(createdAt) },
          {
            label: common(($) => $.common.lastUsed),
            value: lastUsedAt ? moment(lastUsedAt) : common(($) => $.common.never),
          },
        ]}
      />
    </Paper>
  )
}

function Disconnect({ id, clientName }: Pick<Connection, "id" | "clientName">) {
  const disconnect = useChange(() => call("DELETE", `/auth/grants/${id}`))
  const ask = async () => {
    const question = {
      title: t(($) => $.connections.confirm, { name: clientName }),
      text: t(($) => $.connections.confirmText),
      action: t(($) => $.connections.disconnect),
    }
    if (!(await confirm(question))) return
    const message = t(($) => $.connections.disconnected, { name: clientName })
    disconnect.mutate(undefined, { onSuccess: () => tellDone(message), onError: tellError })
  }
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t(($) => $.connections.disconnectNamed, { name: clientName })}
      loading={disconnect.isPending}
      onClick={ask}
    >
      {t(($) => $.connections.disconnect)}
    </Button>
  )
}
