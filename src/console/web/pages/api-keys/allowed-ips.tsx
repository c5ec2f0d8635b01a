import type { UseFormReturnType } from "@mantine/form"
import { TagsField } from "../../forms/tags-field"

type Props<V> = { form: UseFormReturnType<V> }

/** The IP addresses that may use a key. */
export const AllowedIps = <V extends { allowedIps: string[] }>({ form }: Props<V>) => (
  <TagsField
    form={form}
    name="allowedIps"
    label="Allowed IP addresses"
    description="Addresses or networks such as 203.0.113.0/24. Press Enter after each. Leave empty to allow any."
  />
)
