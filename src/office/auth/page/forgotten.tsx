import { Alert, Anchor, Button, Paper, Stack, Text, TextInput, Title } from "@mantine/core"
import { type FormEvent, useState } from "react"
import { messageOf } from "../../../console/api/client"
import { assertOk, send } from "../../../console/api/send"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

/** Asks for a link to set a new password. Nobody is told whether there is such a user. */
export default function Forgotten({ onBack }: { onBack: () => void }) {
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
