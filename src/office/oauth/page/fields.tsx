import { Checkbox, Stack, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { scopes } from "../../../shared/rights"
import type { OAuthClient } from "../../../console/api/types"
import { TagsField } from "../../../console/forms/tags-field"
import { t } from "../../../console/texts"

/** A client with its secret. Only the response that creates the client or rotates its secret contains it. */
export type IssuedClient = OAuthClient & { clientSecret?: string }

export const clientValuesOf = (client: OAuthClient | null) => ({
  name: client?.name ?? "",
  type: client?.type ?? "confidential",
  redirectUris: client?.redirectUris ?? [],
  scopes: client?.scopes ?? ["read"],
})

type Form = UseFormReturnType<ReturnType<typeof clientValuesOf>>

export const ClientName = ({ form }: { form: Form }) => (
  <TextInput
    label={t(($) => $.common.name)}
    description={t(($) => $.oauthClients.nameHint)}
    required
    maxLength={100}
    data-autofocus
    {...form.getInputProps("name")}
  />
)

/** The redirect URIs and scopes of a client. */
export const ClientAccess = ({ form }: { form: Form }) => (
  <>
    <TagsField
      form={form}
      name="redirectUris"
      label={t(($) => $.oauthClients.redirectUris)}
      required
      description={t(($) => $.oauthClients.redirectUrisHint)}
    />
    <Checkbox.Group
      label={t(($) => $.common.scopes)}
      description={t(($) => $.oauthClients.scopesHint)}
      required
      {...form.getInputProps("scopes")}
    >
      <Stack gap="xs" mt="xs">
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={t(($) => $.values.scope[scope])}
            description={t(($) => $.values.scopeMeaning[scope])}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  </>
)
