import { Checkbox, Code, Group, Input, Paper, Radio, Select, Stack, Switch, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { Webhook } from "../../../console/api/types"
import { kindOf } from "../../../console/kinds"
import { t as common } from "../../../console/texts"
import { statusName } from "../../../console/texts/fields"
import { t } from "./texts"
import {
  eventKinds,
  everything,
  happeningsOf,
  hasKind,
  hasSome,
  hasType,
  wholeKind,
  withKind,
  withType,
} from "./patterns"

export const webhookValuesOf = (webhook: Webhook | null) => ({
  url: webhook?.url ?? "",
  description: webhook?.description ?? "",
  types: webhook?.types ?? ([] as string[]),
  payload: webhook?.payload ?? "thin",
  parallel: webhook?.parallel ?? 1,
  isActive: webhook?.isActive ?? true,
})

/** A webhook with its secret, which only the response that creates or rotates it contains. */
export type IssuedWebhook = Webhook & { secret?: string }

type Form = UseFormReturnType<ReturnType<typeof webhookValuesOf>>

/** The inputs of a webhook. */
export const WebhookFields = ({ form, isNew }: { form: Form; isNew: boolean }) => (
  <>
    <TextInput
      label={common(($) => $.fields.url)}
      description={t(($) => $.urlHint)}
      required
      type="url"
      maxLength={2048}
      data-autofocus={isNew || undefined}
      {...form.getInputProps("url")}
    />
    <TextInput
      label={common(($) => $.fields.description)}
      description={t(($) => $.descriptionHint)}
      maxLength={200}
      {...form.getInputProps("description")}
    />
    <TypesPicker
      value={form.values.types}
      onChange={(types) => form.setFieldValue("types", types)}
      error={typesError(form)}
    />
    <PayloadChoice form={form} />
    <Select
      label={common(($) => $.fields.parallel)}
      description={t(($) => $.parallelHint)}
      data={["1", "2", "3", "4"]}
      allowDeselect={false}
      error={form.errors.parallel}
      value={String(form.values.parallel)}
      onChange={(value) => form.setFieldValue("parallel", Number(value))}
    />
    {!isNew && (
      <Switch
        label={t(($) => $.active)}
        description={t(($) => $.activeHint)}
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
  <Radio.Group label={t(($) => $.payload)} {...form.getInputProps("payload")}>
    <Stack gap="xs" mt="xs">
      <Radio value="thin" label={t(($) => $.thin)} description={t(($) => $.thinHint)} />
      <Radio value="full" label={t(($) => $.full)} description={t(($) => $.fullHint)} />
    </Stack>
  </Radio.Group>
)

type Props = { value: string[]; onChange: (value: string[]) => void; error?: string }

/** Chooses types of events: all, all of a kind, or single ones. */
const TypesPicker = ({ value, onChange, error }: Props) => (
  <Input.Wrapper
    label={t(($) => $.types)}
    description={t(($) => $.typesHint)}
    error={error}
    labelElement="div"
    required
  >
    <Stack gap="xs" mt="xs" role="group" aria-label={t(($) => $.types)}>
      <Checkbox
        label={t(($) => $.allTypes)}
        description={t(($) => $.allTypesHint)}
        checked={value.includes(everything)}
        error={Boolean(error)}
        onChange={(event) => onChange(event.currentTarget.checked ? [everything] : [])}
      />
      {eventKinds.map((kind) => (
        <KindTypes key={kind} kind={kind} value={value} onChange={onChange} />
      ))}
    </Stack>
  </Input.Wrapper>
)

/** Imports are no kind of records. */
const kindTitle = (kind: string): string => kindOf(kind)?.title ?? t(($) => $.imports)

/** All kinds have the first three, and imports the last one. A kind names its own. */
const happenings: Readonly<Record<string, string>> = {
  created: t(($) => $.happenings.created),
  updated: t(($) => $.happenings.updated),
  deleted: t(($) => $.happenings.deleted),
  finished: t(($) => $.happenings.finished),
}
const nameOf = (kind: string, happening: string): string =>
  happenings[happening] ?? kindOf(kind)?.events[happening] ?? statusName(happening)

function KindTypes({ kind, value, onChange }: Omit<Props, "error"> & { kind: string }) {
  const isAll = hasKind(value, kind)
  return (
    <Paper withBorder p="xs" role="group" aria-label={kindTitle(kind)}>
      <Checkbox
        fw={600}
        label={
          <>
            {t(($) => $.allOf, { kind: kindTitle(kind) })} <Code>{wholeKind(kind)}</Code>
          </>
        }
        checked={isAll}
        indeterminate={!isAll && hasSome(value, kind)}
        onChange={(event) => onChange(withKind(value, kind, event.currentTarget.checked))}
      />
      <Group gap="md" mt="xs" ml={30} style={{ rowGap: 8 }}>
        {happeningsOf(kind).map((happening) => (
          <Checkbox
            key={happening}
            size="xs"
            label={nameOf(kind, happening)}
            checked={hasType(value, kind, happening)}
            onChange={(event) => onChange(withType(value, kind, happening, event.currentTarget.checked))}
          />
        ))}
      </Group>
    </Paper>
  )
}
