import {
  Anchor,
  Box,
  Button,
  Center,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core"
import { useEffect, useState, type FormEvent } from "react"
import { messageOf } from "../api/client"
import { ApiError, assertOk, send, type FieldError } from "../api/send"
import { signIn } from "../api/session"
import { Brand } from "../parts/brand"
import { ErrorAlert } from "../parts/error-alert"

/** The page that an empty Kontor prints a link to: makes the first admin, and signs them in. */
export default function SetUp() {
  useEffect(() => void (document.title = "Set up Kontor"), [])
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={440}>
        <Stack gap="lg">
          <Brand />
          <Paper withBorder p="lg" shadow="sm">
            <Title order={1} size="h3">
              Set up Kontor
            </Title>
            <Text size="sm" c="dimmed" mb="md">
              Make the first administrator. Everyone else is added later under Settings, Users.
            </Text>
            <FirstAdminForm />
          </Paper>
          <Text size="sm" c="dimmed">
            Set up already?{" "}
            <Anchor href="/console/" underline="always">
              Sign in
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
          label="Your name"
          name="name"
          autoComplete="name"
          required
          autoFocus
          error={errorOf("name")}
        />
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          error={errorOf("email")}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          description="At least 10 characters"
          required
          error={errorOf("password")}
        />
        <Button type="submit" loading={isBusy}>
          Create administrator
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
      await makeFirstAdmin(values)
    } catch (error) {
      const details = error instanceof ApiError ? error.details : []
      setFieldErrors(details)
      setError(details.length > 0 ? null : messageOf(error))
      setBusy(false)
    }
  }
  const errorOf = (field: string) => fieldErrors.find((each) => each.field === field)?.message
  return { submit, error, errorOf, isBusy }
}

/** Makes the admin with the token of the link, and signs them in. */
async function makeFirstAdmin({ name, email, password }: Record<string, string>): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? ""
  const made = await assertOk(await send("POST", "/api/v1/setup", { body: { token, name, email, password } }))
  const { data } = (await made.json()) as { data: { token: string } }
  // The console has a session of its own; the one that came with the set-up is not needed.
  await send("POST", "/api/v1/auth/logout", {}, data.token).catch(() => {})
  history.replaceState(null, "", "/console/")
  await signIn(email ?? "", password ?? "")
}
