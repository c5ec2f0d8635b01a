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
import { ApiError } from "../api/send"
import { signIn, signInByPasskey } from "../api/session"
import { t } from "../texts"
import { ErrorAlert } from "../parts/error-alert"

type FormProps = { email?: string; offersPasskeys?: boolean }

/** Asks for email and password, or only for the password if `email` is set; and for a code if the user has a factor. */
export function SignInForm({ email: known, offersPasskeys = false }: FormProps) {
  const [email, setEmail] = useState(known ?? "")
  const [password, setPassword] = useState("")
  const { submit, byPasskey, code, setCode, error, isBusy } = useSignIn(email, password)
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
        {code !== null && (
          <TextInput
            label={t(($) => $.account.code)}
            description={t(($) => $.account.codeHint)}
            name="code"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Button type="submit" loading={isBusy}>
          {t(($) => $.account.signIn)}
        </Button>
        {offersPasskeys && "PublicKeyCredential" in window && (
          <Button variant="default" loading={isBusy} onClick={byPasskey}>
            {t(($) => $.account.byPasskey)}
          </Button>
        )}
      </Stack>
    </form>
  )
}

function useSignIn(email: string, password: string) {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** Null until the server has asked for it. */
  const [code, setCode] = useState<string | null>(null)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (error) {
      const isCodeMissing = error instanceof ApiError && error.code === "SECOND_FACTOR_REQUIRED"
      // The first time, the field itself says what is missing.
      if (isCodeMissing && code === null) setCode("")
      else setError(messageOf(error))
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(() => signIn(email, password, code || null))
  }
  return { submit, byPasskey: () => void run(signInByPasskey), code, setCode, error, isBusy }
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
