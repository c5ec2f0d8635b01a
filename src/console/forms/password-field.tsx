import { PasswordInput, type PasswordInputProps } from "@mantine/core"

/** The library does not mark a password with an error as invalid, unlike other inputs. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} aria-invalid={props.error ? true : undefined} />
)
