import { activeStatuses } from "../../../shared/statuses"
import { words } from "../format"

/** A filter by some of a few values. */
export type Choice = { key: string; label: string; options: { value: string; label: string }[] }

/** A filter by values, or by the days from and to. */
export type Filter = Choice | { key: string; label: string; isDate: true }

/** Values to choose from, each named in words. */
export const optionsOf = (values: readonly string[], nameOf: (value: string) => string = words) =>
  values.map((value) => ({ value, label: nameOf(value) }))

/** Filters records by whether they are in use. */
export const activeFilter: Filter = { key: "status", label: "Status", options: optionsOf(activeStatuses) }
