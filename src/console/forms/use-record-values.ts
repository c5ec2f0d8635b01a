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

  const isNewer = record && base && (versionOf(record) ?? 0) > (versionOf(base) ?? 0)
  const isSameForm = (one: T, other: T) =>
    isDraft(one) === isDraft(other) && isSame(bodyOf(valuesOf(one)), bodyOf(valuesOf(other)))

  // A newer version becomes the base, unless the form has unsaved changes and the version differs in its fields.
  useEffect(() => {
    if (!isNewer) return
    if (!form.isDirty()) startFrom(record)
    else if (isSameForm(record, base)) setBase(record)
  }, [record])

  /** The newer version, if it cannot become the base. */
  const newer = isNewer && form.isDirty() && !isSameForm(record, base) ? record : null
  return { form, base, startFrom, newer }
}

/** A draft that was submitted or issued can no longer be saved in its form. */
const isDraft = (record: object): boolean => "status" in record && record.status === "draft"

export const versionOf = (record: object | null): number | undefined =>
  record && "version" in record ? Number(record.version) : undefined
