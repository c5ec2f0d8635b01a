import type { UseFormReturnType } from "@mantine/form"
import { TagsField } from "../../../console/forms/tags-field"
import { t } from "./texts"

type Props<V> = { form: UseFormReturnType<V> }

/** The IP addresses that may use a key. */
export const AllowedIps = <V extends { allowedIps: string[] }>({ form }: Props<V>) => (
  <TagsField form={form} name="allowedIps" label={t(($) => $.ips)} description={t(($) => $.ipsHint)} />
)
