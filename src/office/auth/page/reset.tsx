import { Alert, Anchor, Box, Button, Center, Paper, Stack, Text, TextInput, Title } from "@mantine/core"
import { type FormEvent, useEffect, useState } from "react"
import { messageOf } from "../../../console/api/client"
import { ApiError, assertOk, type FieldError, send } from "../../../console/api/send"
import { fieldMessage, focusInvalid } from "../../../console/forms/field-errors"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { Brand } from "../../../console/shell/brand"
import { PasswordField } from "../../../console/shell/sign-in-form"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

/** The page behind the link for a new password. */
export default function Reset() {
  useEffect(() => void (document.title = `${t(($) => $.resetTitle)} · Kontor`), [])
  const [isDone, setDone] = useState(false)
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={400}>
        <Stack gap="lg">
          <Brand />
          <Paper withBorder p="lg" shadow="sm">
            <Title order={1} size="h3" mb="md">
              {t(($) => $.resetTitle)}
            </Title>
            {isDone ? (
              <Alert color="teal" role="status">
                {t(($) => $.resetDone)}
              </Alert>
            ) : (
              <NewPassword onDone={() => setDone(true)} />
            )}
          </Paper>
          <Anchor href="/console/" size="sm" underline="always">
            {common(($) => $.account.signIn)}
          </Anchor>
        </Stack>
      </Box>
    </Center>
  )
}

function NewPassword({ onDone }: { onDone: () => void }) {
  const { submit, error, errorOf, needsCode, isBusy } = useReset(onDone)
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorAlert message={error} />
        <PasswordField
          label={common(($) => $.common.newPassword)}
          description={common(($) => $.account.passwordRule)}
          name="newPassword"
          autoComplete="new-password"
          required
          autoFocus
          error={errorOf("newPassword")}
        />
        <PasswordField
          label={t(($) => $.confirmPassword)}
          name="again"
          autoComplete="new-password"
          required
        />
        {needsCode && (
          <TextInput
            label={common(($) => $.account.code)}
            description={common(($) => $.account.codeHint)}
            name="code"
            autoComplete="one-time-code"
            required
            autoFocus
            error={errorOf("code")}
          />
        )}
        <Button type="submit" loading={isBusy}>
          {t(($) => $.resetSave)}
        </Button>
      </Stack>
    </form>
  )
}

const tokenOfLink = (): string => new URLSearchParams(location.hash.slice(1)).get("token") ?? ""

function useReset(onDone: () => void) {
  const [error, setError] = useState<string | null>(null)
  const [details, setDetails] = useState<readonly FieldError[]>([])
  const [isBusy, setBusy] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const save = async (newPassword: string, code?: string): Promise<void> => {
    setBusy(true)
    try {
      const body = { token: tokenOfLink(), newPassword, ...(code ? { code } : {}) }
      await assertOk(await send("POST", "/api/v1/auth/reset", { body }))
      // The link is used up, and stays in no history.
      history.replaceState(null, "", location.pathname)
      onDone()
    } catch (error) {
      const isMissing = error instanceof ApiError && error.code === "SECOND_FACTOR_REQUIRED"
      if (isMissing) setNeedsCode(true)
      const found =
        error instanceof ApiError
          ? error.details.filter(({ field }) => field === "newPassword" || (field === "code" && !isMissing))
          : []
      setDetails(found)
      focusInvalid()
      // The first time, the field for the code itself says what is missing.
      setError(found.length > 0 || (isMissing && !needsCode) ? null : problemOf(error))
      setBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const {
      newPassword = "",
      again,
      code,
    } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    setDetails([])
    setError(newPassword === again ? null : t(($) => $.noMatch))
    if (newPassword === again) void save(newPassword, code)
  }
  const errorOf = (name: string) => {
    const found = details.find(({ field }) => field === name)
    return found && fieldMessage(found)
  }
  return { submit, error, errorOf, needsCode, isBusy }
}

/** The token of a link is not the sign-in of which the error speaks elsewhere. */
const problemOf = (error: unknown): string =>
  error instanceof ApiError &&
  (error.code === "INVALID_TOKEN" || error.details.some(({ field }) => field === "token"))
    ? t(($) => $.linkInvalid)
    : messageOf(error)

/** Asks for a link to set a new password. Nobody is told whether there is such a user. */
export function Forgotten({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState("")
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<"asking" | "busy" | "sent">("asking")
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState("busy")
    setError(null)
    try {
      await assertOk(await send("POST", "/api/v1/auth/forgot", { body: { email } }))
      setState("sent")
    } catch (error) {
      setError(messageOf(error))
      setState("asking")
    }
  }
  return (
    <Paper withBorder p="lg" shadow="sm">
      <Title order={1} size="h3" mb={4}>
        {t(($) => $.resetTitle)}
      </Title>
      {state === "sent" ? (
        <Alert color="teal" role="status" mt="md" title={t(($) => $.linkSent)}>
          {t(($) => $.linkSentText, { email })}
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm" c="dimmed">
              {t(($) => $.forgottenText)}
            </Text>
            <ErrorAlert message={error} />
            <TextInput
              label={common(($) => $.common.email)}
              type="email"
              name="email"
              autoComplete="username"
              required
              autoFocus
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
            <Button type="submit" loading={state === "busy"}>
              {t(($) => $.sendLink)}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" size="sm" mt="md" onClick={onBack}>
        {common(($) => $.account.signIn)}
      </Anchor>
    </Paper>
  )
}
