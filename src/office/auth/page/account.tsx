import { Badge, Button, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { areas } from "../../../shared/rights"
import { call, messageOf } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import { signOut, signOutEverywhere } from "../../../console/api/session"
import { confirm } from "../../../console/parts/confirm"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { Facts, Page, Section } from "../../../console/parts/page"
import { rightsInWords } from "../../../console/parts/shown"
import { t as common } from "../../../console/texts"
import { SecondFactor, Sessions } from "../../factors/page/security"
import { t as factors } from "../../factors/page/texts"
import { t } from "./texts"
import { useForm } from "@mantine/form"
import { ApiError } from "../../../console/api/send"
import { placeErrors } from "../../../console/forms/field-errors"
import { PasswordField } from "../../../console/shell/sign-in-form"

/** All that a user sees who must add a second factor first. */
export const OnlyFactors = () => (
  <Page title={common(($) => $.menu.account)}>
    <Stack maw={760}>
      <Section title={factors(($) => $.title)}>
        <SecondFactor />
      </Section>
      <Section title={factors(($) => $.sessions)}>
        <Sessions />
        <SignOut />
      </Section>
    </Stack>
  </Page>
)

export default function Account() {
  return (
    <Page title={common(($) => $.menu.account)}>
      <Stack maw={760}>
        <Section title={t(($) => $.profile)}>
          <Person />
        </Section>
        <Section title={t(($) => $.changePassword)}>
          <ChangePassword />
        </Section>
        <Section title={factors(($) => $.title)}>
          <SecondFactor />
        </Section>
        <Section title={factors(($) => $.sessions)}>
          <Sessions />
          <SignOut />
        </Section>
        <Section title={t(($) => $.appearance)}>
          <Appearance />
        </Section>
      </Stack>
    </Page>
  )
}

function Person() {
  const { name, email, role, rights } = useMe()
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <Badge variant="light" tt="none">
          {common(($) => $.values.role[role])}
        </Badge>
      </Group>
      <Text size="sm">{email}</Text>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {common(($) => $.values.roleMeaning[role])}
      </Text>
      <Facts
        of={areas.map((area) => ({
          label: common(($) => $.values.area[area]),
          value: rightsInWords(rights[area]),
        }))}
      />
    </div>
  )
}

function SignOut() {
  const [isBusy, setBusy] = useState(false)
  const everywhere = async () => {
    const question = {
      title: t(($) => $.confirmSignOut),
      text: t(($) => $.confirmSignOutText),
      action: t(($) => $.signOutEverywhere),
    }
    if (!(await confirm(question))) return
    setBusy(true)
    await signOutEverywhere().catch((error: unknown) => {
      setBusy(false)
      notifications.show({ message: messageOf(error), color: "red" })
    })
  }
  return (
    <Group>
      <Button variant="default" onClick={() => signOut()}>
        {t(($) => $.signOutHere)}
      </Button>
      <Button variant="default" loading={isBusy} onClick={everywhere}>
        {t(($) => $.signOutEverywhere)}
      </Button>
    </Group>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label={t(($) => $.appearance)}
      value={colorScheme}
      onChange={setColorScheme}
      data={[
        { value: "light", label: common(($) => $.shell.light) },
        { value: "dark", label: common(($) => $.shell.dark) },
        { value: "auto", label: common(($) => $.shell.system) },
      ]}
    />
  )
}

function ChangePassword() {
  const { email } = useMe()
  const { form, submit, error, isBusy } = usePasswordForm()
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={400}>
        <ErrorAlert message={error} />
        {/* For password managers: the account of the password. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={t(($) => $.currentPassword)}
          autoComplete="current-password"
          required
          {...form.getInputProps("currentPassword")}
        />
        <PasswordField
          label={common(($) => $.common.newPassword)}
          description={common(($) => $.account.passwordRule)}
          autoComplete="new-password"
          required
          {...form.getInputProps("newPassword")}
        />
        <PasswordField
          label={t(($) => $.confirmPassword)}
          autoComplete="new-password"
          required
          {...form.getInputProps("repeated")}
        />
        <Button type="submit" loading={isBusy} style={{ alignSelf: "start" }}>
          {t(($) => $.changePassword)}
        </Button>
      </Stack>
    </form>
  )
}

function usePasswordForm() {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useForm({
    initialValues: { currentPassword: "", newPassword: "", repeated: "" },
    validate: {
      repeated: (value, { newPassword }) => (value === newPassword ? null : t(($) => $.noMatch)),
    },
  })

  const submit = form.onSubmit(async ({ currentPassword, newPassword }) => {
    setBusy(true)
    setError(null)
    try {
      await call("PUT", "/auth/password", { body: { currentPassword, newPassword } })
      form.reset()
      notifications.show({
        message: t(($) => $.passwordChanged),
        color: "teal",
      })
    } catch (error) {
      setError(error instanceof ApiError ? placeErrors(form, error) : messageOf(error))
    }
    setBusy(false)
  })

  return { form, submit, error, isBusy }
}
