import { Button, Group } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { ChangeEvent } from "react"
import { PasswordField } from "../../../console/shell/sign-in-form"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import type { UserForm } from "./fields"

type Props = {
  form: UserForm
  isNew: boolean
  /** Gets the generated password, or null after the user types another one. */
  onSuggested: (password: string | null) => void
}

/** A password for another user, typed or generated. */
export function NewPasswordField({ form, isNew, onSuggested }: Props) {
  const [isVisible, { open, toggle }] = useDisclosure()
  const input = form.getInputProps("password")
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    onSuggested(null)
    input.onChange(event)
  }
  const suggest = () => {
    const password = newPassword()
    onSuggested(password)
    form.setFieldValue("password", password)
    open()
  }
  return (
    <Group align="end" gap="sm" wrap="nowrap">
      <PasswordField
        {...input}
        onChange={type}
        label={isNew ? common(($) => $.common.password) : common(($) => $.common.newPassword)}
        description={isNew ? common(($) => $.account.passwordRule) : t(($) => $.newPasswordHint)}
        inputWrapperOrder={["label", "description", "error", "input"]}
        required={isNew}
        autoComplete="new-password"
        visible={isVisible}
        onVisibilityChange={toggle}
        flex={1}
      />
      <Button variant="default" onClick={suggest}>
        {t(($) => $.generate)}
      </Button>
    </Group>
  )
}

/** 32 letters and digits that are easy to tell apart. 20 of them have 100 bits. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"

function newPassword(): string {
  const text = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => alphabet[byte % 32]).join("")
  return text.replace(/.{5}(?!$)/g, "$&-")
}
