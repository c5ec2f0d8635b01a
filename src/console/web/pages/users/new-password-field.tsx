import { Button, Group, PasswordInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { ChangeEvent } from "react"
import type { UserForm } from "./fields"

type Props = {
  form: UserForm
  isNew: boolean
  /** With the password that was made up; null once another one is typed. */
  onSuggested: (password: string | null) => void
}

/** A password for somebody else, typed or made up. */
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
      <PasswordInput
        {...input}
        onChange={type}
        label={isNew ? "Password" : "New password"}
        description={
          isNew
            ? "At least 10 characters"
            : "Left empty, it stays. A new one signs them out everywhere. At least 10 characters"
        }
        inputWrapperOrder={["label", "description", "error", "input"]}
        required={isNew}
        autoComplete="new-password"
        visible={isVisible}
        onVisibilityChange={toggle}
        flex={1}
      />
      <Button variant="default" onClick={suggest}>
        Suggest
      </Button>
    </Group>
  )
}

/** 32 letters and digits that do not look alike. 20 of them have 100 bits. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"

function newPassword(): string {
  const text = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => alphabet[byte % 32]).join("")
  return text.replace(/.{5}(?!$)/g, "$&-")
}
