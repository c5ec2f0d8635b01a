import {
  Alert,
  Button,
  Code,
  Stack,
  Text,
  TextInput,
  PasswordInput,
  type PasswordInputProps,
} from "@mantine/core"
import { type FormEvent, useState } from "react"
import { messageOf } from "../api/client"
import { signIn } from "../api/session"
import { t } from "../texts"
import { ErrorAlert } from "../parts/error-alert"

/** Asks for email and password, or only for the password if `email` is set. */
export function SignInForm({ email: known }: { email?: string }) {
  const [email, setEmail] = useState(known ?? "")
  const [password, setPassword] = useState("")
  const { submit, error, isBusy } = useSignIn(email, password)
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorAlert message={error} />
        <TextInput
          label={t(($) => $.common.email)}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus={!known}
          readOnly={Boolean(known)}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t(($) => $.common.password)}
          name="password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(known)}
          data-autofocus={known ? true : undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {t(($) => $.account.signIn)}
        </Button>
      </Stack>
    </form>
  )
}

function useSignIn(email: string, password: string) {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await signIn(email, password)
    } catch (error) {
      setError(messageOf(error))
      setBusy(false)
    }
  }
  return { submit, error, isBusy }
}

/** Says where the setup link of a server without an admin is, and how to print a new one. */
export const SetupHelp = () => (
  <Alert color="cyan" title={t(($) => $.account.noAdmin)} role="status">
    <Text size="sm">{t(($) => $.account.setUpLink)}</Text>
    <Text size="sm" mt="xs">
      {t(($) => $.account.newSetUpLink)}
    </Text>
    <Code block mt="xs">
      kontor setup-link
    </Code>
  </Alert>
)

/** The library does not mark a password with an error as invalid, unlike other inputs. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} aria-invalid={props.error ? true : undefined} />
)
