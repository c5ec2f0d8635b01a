import { Button, Group, PasswordInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { ComponentProps } from "react"

type Props = ComponentProps<typeof PasswordInput> & {
  isNew: boolean
  onSuggest: (password: string) => void
}

/** A password for somebody else, typed or made up. */
export function NewPasswordField({ isNew, onSuggest, ...input }: Props) {
  const [isVisible, { open, toggle }] = useDisclosure()
  return (
    <Group align="end" gap="sm" wrap="nowrap">
      <PasswordInput
        {...input}
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
      <Button
        variant="default"
        onClick={() => {
          onSuggest(newPassword())
          open()
        }}
      >
        Suggest
      </Button>
    </Group>
  )
}

/** Letters and digits that are not taken for one another, 32 of them: 20 are a hundred bits. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"

function newPassword(): string {
  const text = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => alphabet[byte % 32]).join("")
  return text.replace(/.{5}(?!$)/g, "$&-")
}
