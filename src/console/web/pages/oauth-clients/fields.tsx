import { Checkbox, Stack, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { scopes } from "../../../../shared/rights"
import type { OAuthClient } from "../../api/types"
import { words } from "../../format"
import { TagsField } from "../../forms/tags-field"
import { scopeSentences } from "../../parts/rights-in-words"

/** A client with its secret. Only the answer that makes the secret has it. */
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
    description="People read it when they are asked to connect it, such as Web shop"
    required
    maxLength={100}
    data-autofocus
    {...form.getInputProps("name")}
  />
)

/** Where the application gets its answers, and what it may ask people for. */
export const ClientReach = ({ form }: { form: Form }) => (
  <>
    <TagsField
      form={form}
      name="redirectUris"
      label="Redirect addresses"
      required
      description="Where people are sent back to, such as https://shop.example/callback; press Enter after each. Must be the very address that the application sends."
    />
    <Checkbox.Group
      label="Scopes"
      description="What it may ask people for. Nobody can allow it more than their own role may do."
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
