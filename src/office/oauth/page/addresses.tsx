import { Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { assertOk, send } from "../../../console/api/send"
import { Facts } from "../../../console/parts/facts"
import { Loaded } from "../../../console/parts/loaded"
import { t } from "./texts"
import { CopyCode } from "./copy-code"

const place = "/.well-known/oauth-authorization-server"

type Metadata = {
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint: string
  introspection_endpoint: string
}

/** The endpoints that the developer of a client needs, from the OAuth metadata of the server. */
export function OAuthAddresses() {
  const query = useQuery({
    queryKey: ["read", place],
    queryFn: async () => (await (await assertOk(await send("GET", place, {}))).json()) as Metadata,
  })
  return (
    <Loaded query={query}>
      {(found) => (
        <div>
          <Text size="sm" mb="xs">
            {t(($) => $.oauthClients.endpoints)}
          </Text>
          <Facts
            columns={1}
            of={endpointsOf(found).map(({ label, copy, value }) => ({
              label,
              value: <CopyCode copy={copy} value={value} />,
            }))}
          />
        </div>
      )}
    </Loaded>
  )
}

const endpointsOf = (found: Metadata) => [
  {
    label: t(($) => $.oauthClients.authorization),
    copy: t(($) => $.oauthClients.copyAuthorization),
    value: found.authorization_endpoint,
  },
  {
    label: t(($) => $.oauthClients.token),
    copy: t(($) => $.oauthClients.copyToken),
    value: found.token_endpoint,
  },
  {
    label: t(($) => $.oauthClients.revocation),
    copy: t(($) => $.oauthClients.copyRevocation),
    value: found.revocation_endpoint,
  },
  {
    label: t(($) => $.oauthClients.introspection),
    copy: t(($) => $.oauthClients.copyIntrospection),
    value: found.introspection_endpoint,
  },
  {
    label: t(($) => $.oauthClients.metadata),
    copy: t(($) => $.oauthClients.copyMetadata),
    value: location.origin + place,
  },
]
