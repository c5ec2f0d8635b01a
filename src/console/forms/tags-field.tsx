import { TagsInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { t } from "../texts"

type Props<V> = {
  form: UseFormReturnType<V>
  name: keyof V & string
  label: string
  description?: string
  placeholder?: string
  required?: boolean
}

/** A list of short texts. The server's errors refer to single texts (allowedIps[1]); all are shown below the field. */
export function TagsField<V extends Record<string, unknown>>({ form, name, ...rest }: Props<V>) {
  const values = form.values[name] as string[]
  const errors = Object.entries(form.errors).flatMap(([path, message]) => {
    const [field, place] = path.split(".")
    if (field !== name) return []
    if (place === undefined) return [message]
    return [t(($) => $.forms.tagError, { text: values[Number(place)] ?? "", message: String(message) })]
  })
  return (
    <TagsInput
      {...rest}
      value={values}
      onChange={(next) => {
        form.setFieldValue(name, next as never)
        form.setErrors(Object.fromEntries(Object.entries(form.errors).filter(([path]) => !isOf(path, name))))
      }}
      error={errors.length > 0 ? errors.join("; ") : undefined}
    />
  )
}

const isOf = (path: string, name: string) => path === name || path.startsWith(`${name}.`)
