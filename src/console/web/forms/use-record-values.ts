import { useForm } from "@mantine/form"
import { useEffect, useState } from "react"
import { isSame, type Body, type Values } from "./body"

/** The values of a form, and the version of the record that the user edits. */
export function useRecordValues<T extends object, V extends Values>(
  record: T | null,
  valuesOf: (record: T | null) => V,
  bodyOf: (values: V) => Body,
) {
  const [base, setBase] = useState<T | null>(record)
  const form = useForm<V>({ initialValues: valuesOf(record) })

  /** Loads a version of the record into the form, without unsaved changes. */
  const startFrom = (version: T) => {
    setBase(version)
    form.setValues(valuesOf(version))
    form.resetDirty(valuesOf(version))
  }

  // A newer version becomes the base, unless the form has unsaved changes and the version differs in its fields.
  useEffect(() => {
    if (!record || !base || (versionOf(record) ?? 0) <= (versionOf(base) ?? 0)) return
    if (!form.isDirty()) startFrom(record)
    else if (isSame(bodyOf(valuesOf(base)), bodyOf(valuesOf(record)))) setBase(record)
  }, [record])

  return { form, base, startFrom }
}

export const versionOf = (record: object | null): number | undefined =>
  record && "version" in record ? Number(record.version) : undefined
