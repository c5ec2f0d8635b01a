import { Button, Stack } from "@mantine/core"
import { useForm } from "@mantine/form"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { call, messageOf } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { useMe } from "../../../console/api/hooks"
import { placeErrors } from "../../../console/forms/field-errors"
import { PasswordField } from "../../../console/forms/password-field"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { t } from "../../../console/texts"

export function ChangePassword() {
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
