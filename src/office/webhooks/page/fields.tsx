import { Radio, Stack, Switch, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { Webhook } from "../../../console/api/types"
import { t } from "../../../console/texts"
import { TypesPicker } from "./types-picker"

export const webhookValuesOf = (webhook: Webhook | null) => ({
  url: webhook?.url ?? "",
  description: webhook?.description ?? "",
  types: webhook?.types ?? ([] as string[]),
  payload: webhook?.payload ?? "thin",
  isActive: webhook?.isActive ?? true,
})

/** A webhook with its secret, which only the response that creates or rotates it contains. */
export type IssuedWebhook = Webhook & { secret?: string }

type Form = UseFormReturnType<ReturnType<typeof webhookValuesOf>>

/** The inputs of a webhook. */
export const WebhookFields = ({ form, isNew }: { form: Form; isNew: boolean }) => (
  <>
    <TextInput
      label={t(($) => $.fields.url)}
      description={t(($) => $.webhooks.urlHint)}
      required
      type="url"
      maxLength={2048}
      data-autofocus={isNew || undefined}
      {...form.getInputProps("url")}
    />
    <TextInput
      label={t(($) => $.fields.description)}
      description={t(($) => $.webhooks.descriptionHint)}
      maxLength={200}
      {...form.getInputProps("description")}
    />
    <TypesPicker
      value={form.values.types}
      onChange={(types) => form.setFieldValue("types", types)}
      error={typesError(form)}
    />
    <PayloadChoice form={form} />
    {!isNew && (
      <Switch
        label={t(($) => $.webhooks.active)}
        description={t(($) => $.webhooks.activeHint)}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    )}
  </>
)

/** The error of the list, or of its first wrong text. */
function typesError(form: Form): string | undefined {
  const [, error] = Object.entries(form.errors).find(([field]) => field.split(".")[0] === "types") ?? []
  return typeof error === "string" ? error : undefined
}

const PayloadChoice = ({ form }: { form: Form }) => (
  <Radio.Group label={t(($) => $.webhooks.payload)} {...form.getInputProps("payload")}>
    <Stack gap="xs" mt="xs">
      <Radio value="thin" label={t(($) => $.webhooks.thin)} description={t(($) => $.webhooks.thinHint)} />
      <Radio value="full" label={t(($) => $.webhooks.full)} description={t(($) => $.webhooks.fullHint)} />
    </Stack>
  </Radio.Group>
)
