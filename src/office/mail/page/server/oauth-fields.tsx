import { SimpleGrid, TextInput } from "@mantine/core"
import { useState } from "react"
import { tenantOf, tokenUrlOf } from "./presets"
import { type FieldsProps, SecretField } from "./secret-field"
import { t } from "./texts"

/** How an app signs in to the mail server. Of a provider that is known, only what differs between shops is asked. */
export function OauthFields({ form, preset, missing }: FieldsProps) {
  const isSaved = missing?.includes("oauth.clientSecret") === false
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t(($) => $.mailbox)}
        description={t(($) => $.mailboxHint)}
        required
        autoComplete="off"
        {...form.getInputProps("smtp.user")}
      />
      {preset === "microsoft" && <Tenant form={form} />}
      {preset === "other" && (
        <TextInput
          label={t(($) => $.tokenUrl)}
          description={"\u00a0"}
          required
          type="url"
          {...form.getInputProps("smtp.oauth.tokenUrl")}
        />
      )}
      <TextInput
        label={t(($) => $.clientId)}
        description={"\u00a0"}
        required
        autoComplete="off"
        {...form.getInputProps("smtp.oauth.clientId")}
      />
      <SecretField
        label={t(($) => $.clientSecret)}
        isSaved={isSaved}
        {...form.getInputProps("smtp.oauth.clientSecret")}
      />
      {preset !== "microsoft" && (
        <SecretField
          label={t(($) => $.refreshToken)}
          isSaved={isSaved}
          {...(preset === "other" && { hint: t(($) => $.refreshTokenHint) })}
          {...form.getInputProps("smtp.oauth.refreshToken")}
        />
      )}
      {preset === "other" && (
        <TextInput label={t(($) => $.scope)} {...form.getInputProps("smtp.oauth.scope")} />
      )}
    </SimpleGrid>
  )
}

/** The part of the address that differs between the customers of Microsoft. */
function Tenant({ form }: Pick<FieldsProps, "form">) {
  const { tokenUrl } = form.values.smtp.oauth
  const [typed, setTyped] = useState(() => tenantOf(tokenUrl))
  return (
    <TextInput
      label={t(($) => $.tenant)}
      description={"\u00a0"}
      required
      autoComplete="off"
      data-path="smtp.oauth.tokenUrl"
      error={form.errors["smtp.oauth.tokenUrl"]}
      value={tokenUrlOf(typed) === tokenUrl ? typed : tenantOf(tokenUrl)}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        form.setFieldValue("smtp.oauth.tokenUrl", tokenUrlOf(value))
      }}
    />
  )
}
