import { activeStatuses } from "../../../shared/statuses"
import { words } from "../format"

/** A filter with a few values to choose from. */
export type Choice = { key: string; label: string; options: { value: string; label: string }[] }

/** A filter by values or by a date range. */
export type Filter = Choice | { key: string; label: string; isDate: true }

/** Returns filter options with a label for each value. */
export const optionsOf = (values: readonly string[], nameOf: (value: string) => string = words) =>
  values.map((value) => ({ value, label: nameOf(value) }))

/** Filters by active and inactive records. */
export const activeFilter: Filter = { key: "status", label: "Status", options: optionsOf(activeStatuses) }
