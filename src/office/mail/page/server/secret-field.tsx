import type { PasswordInputProps } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { PasswordField } from "../../../../console/shell/sign-in-form"
import type { PresetName } from "./presets"
import { t } from "./texts"
import type { ServerValues } from "./values"

export type SmtpForm = UseFormReturnType<{ smtp: ServerValues }>
export type FieldsProps = { form: SmtpForm; preset: PresetName; missing: readonly string[] | null }

type SecretProps = PasswordInputProps & { isSaved: boolean; hint?: string }

/** A secret, which is never shown again once it is saved. */
export const SecretField = ({ isSaved, hint, ...props }: SecretProps) => (
  <PasswordField
    {...props}
    description={isSaved ? t(($) => $.savedSecret) : (hint ?? "\u00a0")}
    required={!isSaved && hint === undefined}
    // The browser must not fill in the person's own password.
    autoComplete="new-password"
  />
)
