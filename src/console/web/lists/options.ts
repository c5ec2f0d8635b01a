import { activeStatuses } from "../../../shared/statuses"
import { words } from "../format"
import type { Filter } from "./list-toolbar"

/** Values to choose from, each named in words. */
export const optionsOf = (values: readonly string[], nameOf: (value: string) => string = words) =>
  values.map((value) => ({ value, label: nameOf(value) }))

/** Filters records by whether they are in use. */
export const activeFilter: Filter = { key: "status", label: "Status", options: optionsOf(activeStatuses) }
