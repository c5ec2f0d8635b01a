import { Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { assertOk, send } from "../../api/send"
import { Facts } from "../../parts/facts"
import { Loaded } from "../../parts/loaded"
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
            The client needs these endpoints. It uses the authorization code flow with PKCE (S256).
          </Text>
          <Facts
            columns={1}
            of={[
              { label: "Authorization", value: found.authorization_endpoint },
              { label: "Token", value: found.token_endpoint },
              { label: "Revocation", value: found.revocation_endpoint },
              { label: "Introspection", value: found.introspection_endpoint },
              { label: "Metadata", value: location.origin + place },
            ].map(({ label, value }) => ({
              label,
              value: <CopyCode label={`endpoint: ${label.toLowerCase()}`} value={value} />,
            }))}
          />
        </div>
      )}
    </Loaded>
  )
}
