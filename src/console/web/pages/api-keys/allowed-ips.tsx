import type { UseFormReturnType } from "@mantine/form"
import { TagsField } from "../../forms/tags-field"

type Props<V> = { form: UseFormReturnType<V> }

/** Where a key works from. */
export const AllowedIps = <V extends { allowedIps: string[] }>({ form }: Props<V>) => (
  <TagsField
    form={form}
    name="allowedIps"
    label="Allowed addresses"
    description="Addresses or networks such as 203.0.113.0/24; press Enter after each. None means anywhere."
  />
)
