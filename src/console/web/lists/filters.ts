import { activeStatuses } from "../../../shared/statuses"
import { words } from "../format"
import { t } from "../texts"

/** A filter with a few values to choose from. */
export type Choice = { key: string; label: string; options: { value: string; label: string }[] }

/** A filter by values or by a date range. */
export type Filter = Choice | { key: string; label: string; isDate: true }

/** Returns filter options with a label for each value. */
export const optionsOf = <V extends string>(
  values: readonly V[],
  nameOf: (value: V) => string = words,
): Choice["options"] => values.map((value) => ({ value, label: nameOf(value) }))

/** Filters by active and inactive records. */
export const activeFilter: Filter = {
  key: "status",
  label: t(($) => $.common.status),
  options: optionsOf(activeStatuses, (status) => t(($) => $.values.status[status])),
}
