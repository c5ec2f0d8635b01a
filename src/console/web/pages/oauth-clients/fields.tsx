import { Checkbox, Stack, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { scopes } from "../../../../shared/rights"
import type { OAuthClient } from "../../api/types"
import { words } from "../../format"
import { TagsField } from "../../forms/tags-field"
import { scopeSentences } from "../../parts/rights-in-words"

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
    label="Name"
    description="Shown to users when they connect it, for example Web shop"
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
      label="Redirect URIs"
      required
      description="Where users return after they sign in, for example https://shop.example/callback. Must match exactly what the client sends. Press Enter after each."
    />
    <Checkbox.Group
      label="Scopes"
      description="The permissions it can request. Users can grant only what their own role allows."
      required
      {...form.getInputProps("scopes")}
    >
      <Stack gap="xs" mt="xs">
        {scopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={words(scope)} description={scopeSentences[scope]} />
        ))}
      </Stack>
    </Checkbox.Group>
  </>
)
