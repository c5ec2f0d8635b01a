import { Button, Select, SimpleGrid, TextInput } from "@mantine/core"
import { call } from "../../../../console/api/client"
import { useChange, useMe } from "../../../../console/api/hooks"
import type { Settings } from "../../../../console/api/types"
import { RecordForm } from "../../../../console/forms/record-form"
import { useRecordForm } from "../../../../console/forms/use-record-form"
import { confirm } from "../../../../console/parts/confirm"
import { Section } from "../../../../console/parts/page"
import { tellDone, tellError } from "../../../../console/parts/tell"
import type { AnsweredSettings } from "../../../settings/service"
import { OauthFields } from "./oauth-fields"
import { presetNames, presetOf, presets, type PresetName } from "./presets"
import { type FieldsProps, SecretField, type SmtpForm } from "./secret-field"
import { TestMessage } from "./test-message"
import { t } from "./texts"
import { serverBodyOf, type ServerValues, serverValuesOf } from "./values"

/** The mail server. Only the fields are shown that the chosen sign-in uses; the others keep their values. */
export function ServerForm({ settings }: { settings: AnsweredSettings }) {
  const { email } = useMe()
  const { smtp } = settings
  const state = useRecordForm({
    kind: "settings",
    path: "/settings",
    record: settings as Settings,
    valuesOf: (from) => ({ smtp: serverValuesOf(from?.smtp ?? null) }),
    bodyOf: (values) => ({ smtp: serverBodyOf(values.smtp) }),
    onSaved: () => tellDone(t(($) => $.saved)),
  })
  const form = state.form as SmtpForm
  const preset = presetOf(form.values.smtp)
  // What is missing is known for the saved sign-in only.
  const isSavedAuth = smtp !== null && smtp.auth === form.values.smtp.auth
  const fields = { form, preset, missing: isSavedAuth ? smtp.missing : null }
  const isDirty = form.isDirty()
  return (
    <>
      <RecordForm
        state={state}
        isMain={smtp === null || isDirty}
        actions={smtp && <TurnOff settings={settings} />}
      >
        <Section title={t(($) => $.server)}>
          <ProviderSelect form={form} preset={preset} />
          <Connection {...fields} />
          <SignIn {...fields} />
        </Section>
        <Section title={t(($) => $.sender)}>
          <Sender {...fields} />
        </Section>
      </RecordForm>
      {smtp?.missing.length === 0 && <TestMessage email={email} isSaved={!isDirty} />}
    </>
  )
}

function ProviderSelect({ form, preset }: Pick<FieldsProps, "form" | "preset">) {
  const choose = (name: PresetName) => {
    const { oauth, port, ...rest } = { oauth: {}, ...presets[name] }
    const before = form.values.smtp
    const host = rest.host === "" && preset === "other" ? before.host : rest.host
    form.setFieldValue("smtp", {
      ...before,
      ...rest,
      port: String(port),
      host,
      oauth: { ...before.oauth, ...oauth },
    } as ServerValues)
  }
  return (
    <Select
      label={t(($) => $.provider)}
      description={t(($) => $.providerHints[preset])}
      data={presetNames.map((value) => ({ value, label: t(($) => $.providers[value]) }))}
      allowDeselect={false}
      value={preset}
      onChange={(value) => value && choose(value as PresetName)}
    />
  )
}

const securities = ["tls", "starttls", "none"] as const
const auths = ["password", "oauth2", "none"] as const

/** What a provider prescribes can be changed, because providers change it too. */
const Connection = ({ form, preset }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, sm: preset === "other" ? 2 : 3 }}>
    <TextInput
      label={t(($) => $.host)}
      required
      autoComplete="off"
      inputMode="url"
      {...form.getInputProps("smtp.host")}
    />
    <TextInput label={t(($) => $.port)} inputMode="numeric" {...form.getInputProps("smtp.port")} />
    <Select
      label={t(($) => $.security)}
      data={securities.map((value) => ({ value, label: t(($) => $.securities[value]) }))}
      allowDeselect={false}
      {...form.getInputProps("smtp.security")}
    />
    {preset === "other" && (
      <Select
        label={t(($) => $.auth)}
        data={auths.map((value) => ({ value, label: t(($) => $.auths[value]) }))}
        allowDeselect={false}
        {...form.getInputProps("smtp.auth")}
      />
    )}
  </SimpleGrid>
)

function SignIn(props: FieldsProps) {
  const { form, preset } = props
  const { auth } = form.values.smtp
  if (auth === "none") return null
  if (auth === "oauth2") return <OauthFields {...props} />
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t(($) => $.user)}
        description={t(($) => $.userHint)}
        required
        autoComplete="off"
        {...form.getInputProps("smtp.user")}
      />
      <SecretField
        label={t(($) => (preset === "googlePassword" ? $.appPassword : $.password))}
        isSaved={props.missing?.includes("password") === false}
        {...form.getInputProps("smtp.password")}
      />
    </SimpleGrid>
  )
}

const Sender = ({ form }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <TextInput
      label={t(($) => $.from)}
      description={t(($) => $.fromHint)}
      type="email"
      required
      {...form.getInputProps("smtp.from")}
    />
    <TextInput
      label={t(($) => $.fromName)}
      description={t(($) => $.fromNameHint)}
      {...form.getInputProps("smtp.fromName")}
    />
    <TextInput
      label={t(($) => $.replyTo)}
      description={t(($) => $.replyToHint)}
      type="email"
      {...form.getInputProps("smtp.replyTo")}
    />
    <TextInput
      label={t(($) => $.bcc)}
      description={t(($) => $.bccHint)}
      type="email"
      {...form.getInputProps("smtp.bcc")}
    />
    <TextInput
      label={t(($) => $.perMinute)}
      description={t(($) => $.perMinuteHint)}
      inputMode="numeric"
      {...form.getInputProps("smtp.perMinute")}
    />
  </SimpleGrid>
)

/** Removes the server with its secrets, after a question. */
function TurnOff({ settings: { version } }: { settings: AnsweredSettings }) {
  const change = useChange(() => call<Settings>("PUT", "/settings", { body: { smtp: null }, version }))
  const ask = async () => {
    const question = {
      title: t(($) => $.confirmTurnOff),
      text: t(($) => $.confirmTurnOffText),
      action: t(($) => $.turnOff),
    }
    if (!(await confirm(question))) return
    change.mutate(undefined, { onSuccess: () => tellDone(t(($) => $.turnedOff)), onError: tellError })
  }
  return (
    <Button variant="subtle" color="red" loading={change.isPending} onClick={() => void ask()}>
      {t(($) => $.turnOff)}
    </Button>
  )
}
