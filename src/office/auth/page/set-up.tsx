import { Anchor, Box, Button, Center, Paper, Stack, Text, TextInput, Title } from "@mantine/core"
import { useEffect, useState, useSyncExternalStore, type FormEvent } from "react"
import { messageOf } from "../../../console/api/client"
import { ApiError, assertOk, send, type FieldError } from "../../../console/api/send"
import { signIn } from "../../../console/api/session"
import { fieldMessage, focusInvalid } from "../../../console/forms/field-errors"
import { PasswordField, SetupHelp } from "../../../console/shell/sign-in-form"
import { Brand } from "../../../console/shell/brand"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { t } from "../../../console/texts"
import { t as own } from "./texts"

/** The page behind the setup link of an empty server. Creates the first admin and signs them in. */
export default function SetUp() {
  useEffect(() => void (document.title = own(($) => $.setUp)), [])
  const token = useSyncExternalStore(onNewLink, tokenOfLink)
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={440}>
        <Stack gap="lg">
          <Brand />
          <Paper withBorder p="lg" shadow="sm">
            <Title order={1} size="h3">
              {own(($) => $.setUp)}
            </Title>
            <Text size="sm" c="dimmed" mb="md">
              {own(($) => $.setUpIntro)}
            </Text>
            {token === "" ? <SetupHelp /> : <FirstAdminForm />}
          </Paper>
          <Text size="sm" c="dimmed">
            {own(($) => $.isSetUp)}{" "}
            <Anchor href="/console/" underline="always">
              {t(($) => $.account.signIn)}
            </Anchor>
          </Text>
        </Stack>
      </Box>
    </Center>
  )
}

function FirstAdminForm() {
  const { submit, error, errorOf, isBusy } = useSetUp()
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorAlert message={error} />
        <TextInput
          label={t(($) => $.account.yourName)}
          name="name"
          autoComplete="name"
          required
          autoFocus
          error={errorOf("name")}
        />
        <TextInput
          label={t(($) => $.common.email)}
          name="email"
          type="email"
          autoComplete="username"
          required
          error={errorOf("email")}
        />
        <PasswordField
          label={t(($) => $.common.password)}
          name="password"
          autoComplete="new-password"
          description={t(($) => $.account.passwordRule)}
          required
          error={errorOf("password")}
        />
        <Button type="submit" loading={isBusy}>
          {own(($) => $.createAdmin)}
        </Button>
      </Stack>
    </form>
  )
}

function useSetUp() {
  const [error, setError] = useState<string | null>(null)
  const [fieldErrors, setFieldErrors] = useState<FieldError[]>([])
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    setBusy(true)
    setError(null)
    setFieldErrors([])
    try {
      await createFirstAdmin(values)
    } catch (error) {
      const details = error instanceof ApiError ? error.details : []
      setFieldErrors(details)
      focusInvalid()
      setError(details.length > 0 ? null : messageOf(error))
      setBusy(false)
    }
  }
  const errorOf = (field: string) => {
    const found = fieldErrors.find((each) => each.field === field)
    return found && fieldMessage(found)
  }
  return { submit, error, errorOf, isBusy }
}

/** Opening a link on a page that differs only in the token does not load the page again. */
const onNewLink = (tell: () => void) => {
  window.addEventListener("hashchange", tell)
  return () => window.removeEventListener("hashchange", tell)
}

const tokenOfLink = (): string => new URLSearchParams(location.hash.slice(1)).get("token") ?? ""

/** Creates the admin with the token of the setup link, and signs them in. The set-up of the shop comes next. */
async function createFirstAdmin({ name, email, password }: Record<string, string>): Promise<void> {
  const response = await assertOk(
    await send("POST", "/api/v1/setup", { body: { token: tokenOfLink(), name, email, password } }),
  )
  const { data } = (await response.json()) as { data: { token: string } }
  // The console starts its own session, so the session of the setup response is ended.
  await send("POST", "/api/v1/auth/logout", {}, data.token).catch(() => {})
  history.replaceState(null, "", "/console/settings/set-up")
  await signIn(email ?? "", password ?? "")
}
