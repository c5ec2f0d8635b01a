import { Badge, Button, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { areas } from "../../../shared/rights"
import { call, messageOf } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import { signOut, signOutEverywhere } from "../../../console/api/session"
import { confirm } from "../../../console/parts/confirm"
import { Facts } from "../../../console/parts/facts"
import { Page } from "../../../console/parts/page"
import { rightsInWords } from "../../../console/parts/rights-in-words"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import { useForm } from "@mantine/form"
import { ApiError } from "../../../console/api/send"
import { placeErrors } from "../../../console/forms/field-errors"
import { PasswordField } from "../../../console/forms/password-field"
import { ErrorAlert } from "../../../console/parts/error-alert"

export default function Account() {
  return (
    <Page title={t(($) => $.menu.account)}>
      <Stack maw={760}>
        <Section title={t(($) => $.myAccount.profile)}>
          <Person />
        </Section>
        <Section title={t(($) => $.myAccount.changePassword)}>
          <ChangePassword />
        </Section>
        <Section title={t(($) => $.myAccount.sessions)}>
          <SignOut />
        </Section>
        <Section title={t(($) => $.myAccount.appearance)}>
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
          {t(($) => $.values.role[role])}
        </Badge>
      </Group>
      <Text size="sm">{email}</Text>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {t(($) => $.values.roleMeaning[role])}
      </Text>
      <Facts
        of={areas.map((area) => ({
          label: t(($) => $.values.area[area]),
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
      title: t(($) => $.myAccount.confirmSignOut),
      text: t(($) => $.myAccount.confirmSignOutText),
      action: t(($) => $.myAccount.signOutEverywhere),
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
        {t(($) => $.myAccount.signOutHere)}
      </Button>
      <Button variant="default" loading={isBusy} onClick={everywhere}>
        {t(($) => $.myAccount.signOutEverywhere)}
      </Button>
    </Group>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label={t(($) => $.myAccount.appearance)}
      value={colorScheme}
      onChange={setColorScheme}
      data={[
        { value: "light", label: t(($) => $.shell.light) },
        { value: "dark", label: t(($) => $.shell.dark) },
        { value: "auto", label: t(($) => $.shell.system) },
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
          label={t(($) => $.myAccount.currentPassword)}
          autoComplete="current-password"
          required
          {...form.getInputProps("currentPassword")}
        />
        <PasswordField
          label={t(($) => $.common.newPassword)}
          description={t(($) => $.account.passwordRule)}
          autoComplete="new-password"
          required
          {...form.getInputProps("newPassword")}
        />
        <PasswordField
          label={t(($) => $.myAccount.confirmPassword)}
          autoComplete="new-password"
          required
          {...form.getInputProps("repeated")}
        />
        <Button type="submit" loading={isBusy} style={{ alignSelf: "start" }}>
          {t(($) => $.myAccount.changePassword)}
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
      repeated: (value, { newPassword }) => (value === newPassword ? null : t(($) => $.myAccount.noMatch)),
    },
  })

  const submit = form.onSubmit(async ({ currentPassword, newPassword }) => {
    setBusy(true)
    setError(null)
    try {
      await call("PUT", "/auth/password", { body: { currentPassword, newPassword } })
      form.reset()
      notifications.show({
        message: t(($) => $.myAccount.passwordChanged),
        color: "teal",
      })
    } catch (error) {
      setError(error instanceof ApiError ? placeErrors(form, error) : messageOf(error))
    }
    setBusy(false)
  })

  return { form, submit, error, isBusy }
}
