import { activeStatuses } from "../../shared/statuses"
import { words } from "../format"
import { t } from "../texts"

/** A filter with a few values to choose from. */
export type Choice = { key: string; label: string; options: { value: string; label: string }[] }

/** A filter that is on or off. `key` is the whole parameter of the URL: `unallocated[gt]`. */
export type Toggle = { key: string; label: string; on: string }

/** A filter by values, by a date range, or by one condition. */
export type Filter = Choice | Toggle | { key: string; label: string; isDate: true }

/** The parameters of the URL that a filter sets. */
export function parametersOf(filter: Filter): string[] {
  if ("on" in filter) return [filter.key]
  return "isDate" in filter ? [`${filter.key}[gte]`, `${filter.key}[lte]`] : [`${filter.key}[in]`]
}

/** Returns filter options with a label for each value. */
export const optionsOf = <V extends string>(
  values: readonly V[],
  nameOf: (value: V) => string = words,
): Choice["options"] => values.map((value) => ({ value, label: nameOf(value) }))

/** Filters by active and inactive records of a kind that has no status. */
export const isActiveFilter: Filter = {
  key: "isActive",
  label: t(($) => $.common.status),
  options: [
    { value: "true", label: t(($) => $.values.status.active) },
    { value: "false", label: t(($) => $.values.status.inactive) },
  ],
}

/** Filters by active and inactive records. */
export const activeFilter: Filter = {
  key: "status",
  label: t(($) => $.common.status),
  options: optionsOf(activeStatuses, (status) => t(($) => $.values.status[status])),
}
