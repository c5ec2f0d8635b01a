import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core"
import { type FormEvent, type ReactNode, useState } from "react"
import { call, messageOf } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import { ApiError } from "../../../console/api/send"
import { fieldMessage, focusInvalid } from "../../../console/forms/field-errors"
import { CopyField, ShownOnce } from "../../../console/parts/copy-field"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { PasswordField } from "../../../console/shell/sign-in-form"
import { t as common } from "../../../console/texts"
import type { Factor, NewTotp } from "../model"
import { QrCode } from "./qr-code"
import { t } from "./texts"

type Made = { recoveryCodes: string[] }
type Values = Record<string, string>

/** Sends a form, and shows each error at its field. */
function useSending(work: (values: Values) => Promise<void>) {
  const [problem, setProblem] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Values
    setBusy(true)
    setProblem(null)
    try {
      await work(values)
    } catch (error) {
      setProblem(error)
      focusInvalid()
    }
    setBusy(false)
  }
  const details = problem instanceof ApiError ? problem.details : []
  const errorOf = (name: string) => {
    const found = details.find(({ field }) => field === name)
    return found && fieldMessage(found)
  }
  const isPlaced =
    details.length > 0 && details.every(({ field }) => ["code", "currentPassword", "name"].includes(field))
  return { submit, isBusy, errorOf, error: problem === null || isPlaced ? null : messageOf(problem) }
}

type Sending = ReturnType<typeof useSending>
type DialogProps = {
  title: string
  action: string
  sending: Sending
  onClose: () => void
  children: ReactNode
}

function Dialog({ title, action, sending, onClose, children }: DialogProps) {
  useRestoreFocus()
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void sending.submit(event)} noValidate>
        <Stack>
          <ErrorAlert message={sending.error} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common(($) => $.common.cancel)}
            </Button>
            <Button type="submit" loading={sending.isBusy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const Name = ({ proposed, sending }: { proposed: string; sending: Sending }) => (
  <TextInput
    name="name"
    label={t(($) => $.name)}
    description={t(($) => $.nameHint)}
    defaultValue={proposed}
    required
    maxLength={100}
    error={sending.errorOf("name")}
  />
)

function Password({ sending }: { sending: Sending }) {
  const { email } = useMe()
  return (
    <>
      {/* For password managers: the account of the password. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        name="currentPassword"
        label={t(($) => $.password)}
        autoComplete="current-password"
        required
        data-autofocus
        error={sending.errorOf("currentPassword")}
      />
    </>
  )
}

type AddProps = { onClose: () => void; onAdded: (made: Made) => void }

export function AddTotp({ onClose, onAdded }: AddProps) {
  const [made, setMade] = useState<NewTotp | null>(null)
  const begin = useSending(async ({ name, currentPassword }) => {
    const body = { type: "totp", name, currentPassword }
    setMade((await call<NewTotp>("POST", "/auth/factors", { body })).data)
  })
  const confirm = useSending(async ({ code }) => {
    const path = `/auth/factors/${made?.id}/confirm`
    onAdded((await call<Made>("POST", path, { body: { code } })).data)
  })
  const title = t(($) => $.addTotp)
  if (made === null)
    return (
      <Dialog title={title} action={t(($) => $.next)} sending={begin} onClose={onClose}>
        <Name proposed={t(($) => $.phone)} sending={begin} />
        <Password sending={begin} />
      </Dialog>
    )
  return (
    <Dialog key="code" title={title} action={t(($) => $.confirm)} sending={confirm} onClose={onClose}>
      <Text size="sm">{t(($) => $.scan)}</Text>
      <QrCode text={made.uri} label={t(($) => $.qr)} />
      <CopyField label={t(($) => $.secret)} copy={t(($) => $.copySecret)} value={made.secret} />
      <TextInput
        name="code"
        label={t(($) => $.code)}
        description={t(($) => $.codeHint)}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        error={confirm.errorOf("code")}
      />
    </Dialog>
  )
}

export function AddPasskey({ onClose, onAdded }: AddProps) {
  const sending = useSending(async ({ name, currentPassword }) => {
    const { data: options } = await call<object>("POST", "/auth/passkeys/options", {
      body: { currentPassword },
    })
    const { startRegistration } = await import("@simplewebauthn/browser")
    const response = await startRegistration({ optionsJSON: options as never }).catch(() => {
      throw new ApiError(
        0,
        "NO_PASSKEY",
        t(($) => $.passkeyFailed),
      )
    })
    onAdded((await call<Made>("POST", "/auth/passkeys", { body: { name, response } })).data)
  })
  return (
    <Dialog title={t(($) => $.addPasskey)} action={t(($) => $.next)} sending={sending} onClose={onClose}>
      <Name proposed={t(($) => $.device)} sending={sending} />
      <Password sending={sending} />
    </Dialog>
  )
}

type RemoveProps = { factor: Factor; onClose: () => void; onRemoved: () => void }

export function RemoveFactor({ factor: { id, name }, onClose, onRemoved }: RemoveProps) {
  const sending = useSending(async ({ currentPassword }) => {
    await call("DELETE", `/auth/factors/${id}`, { body: { currentPassword } })
    tellDone(t(($) => $.removed, { name }))
    onRemoved()
  })
  return (
    <Dialog
      title={t(($) => $.removeTitle, { name })}
      action={t(($) => $.remove)}
      sending={sending}
      onClose={onClose}
    >
      <Text size="sm">{t(($) => $.removeText)}</Text>
      <Password sending={sending} />
    </Dialog>
  )
}

export function NewCodes({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const sending = useSending(async ({ currentPassword }) =>
    onMade((await call<Made>("POST", "/auth/recovery-codes", { body: { currentPassword } })).data),
  )
  return (
    <Dialog title={t(($) => $.newCodes)} action={t(($) => $.next)} sending={sending} onClose={onClose}>
      <Text size="sm">{t(($) => $.newCodesText)}</Text>
      <Password sending={sending} />
    </Dialog>
  )
}

export const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <ShownOnce
    title={t(($) => $.codesTitle)}
    warning={t(($) => $.codesWarning)}
    done={t(($) => $.codesKept)}
    onClose={onClose}
  >
    <CopyField
      label={t(($) => $.codes)}
      copy={t(($) => $.copyCodes)}
      value={codes.join("\n")}
      isLong
      autoFocus
    />
  </ShownOnce>
)
