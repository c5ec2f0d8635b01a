import { Button, Text, VisuallyHidden } from "@mantine/core"
import { IconX } from "../parts/icons"
import { number, words } from "../format"
import { shown } from "../parts/shown"
import { focusTop } from "../shell/focus"
import { t } from "../texts"
import { fieldName } from "../texts/fields"
import { type Filter, type ListState, parametersOf } from "./filters"

type Props = {
  state: ListState
  filters: Filter[]
  hasSearch: boolean
  /** Describes a parameter of the URL, if its value is not readable. */
  describe?: (name: string, value: string) => string | undefined
}

/** The filters in the URL that have no input. They are shown so that the user knows that the list is filtered. */
export function UrlFilters({ state, filters, hasSearch, describe }: Props) {
  const seen = new Set(["sort", "order", ...(hasSearch ? ["search"] : [])])
  for (const filter of filters)
    if (isShown(filter, state)) for (const name of parametersOf(filter)) seen.add(name)
  return Object.entries(state.given)
    .filter(([name]) => !seen.has(name))
    .map(([name, value]) => (
      <Button
        key={name}
        variant="light"
        size="xs"
        rightSection={<IconX size={14} />}
        onClick={() => {
          state.change({ [name]: null })
          focusTop()
        }}
        maw="100%"
      >
        <Text span inherit truncate>
          {describe?.(name, value) ?? inWords(name, value)}
        </Text>
        <VisuallyHidden> {t(($) => $.lists.filter.remove)}</VisuallyHidden>
      </Button>
    ))
}

/** A date range without its first day, or a condition with another value, is not visible in the input of the filter. */
function isShown(filter: Filter, state: ListState): boolean {
  if ("on" in filter) return state.valueOf(filter.key) === filter.on
  return !("isDate" in filter) || Boolean(state.valueOf(`${filter.key}[gte]`))
}

const signs: Record<string, string> = {
  ne: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
}

/** isLowStock=true → Is low stock: true; total[gte]=100 → Total ≥ 100; category[null]=true → Category: empty. */
function inWords(name: string, value: string): string {
  const [, key = name, operator = ""] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
  const field = fieldName(key) === key ? words(key) : fieldName(key)
  if (operator === "null")
    return t(($) => (value === "true" ? $.lists.filter.empty : $.lists.filter.notEmpty), { field })
  if (operator === "like") return t(($) => $.lists.filter.like, { field, value })
  if (operator === "in") {
    const values = value.split(",").map((each) => shown(key, each))
    return t(($) => $.lists.filter.in, { field, value: values.join(", ") })
  }
  const sign = signs[operator]
  if (!sign) return `${field}: ${valueInWords(key, value)}`
  return `${field} ${sign} ${isFigure(value) && operator !== "ne" ? number(Number(value)) : shown(key, value)}`
}

/** Only figures can be compared by size. Other values of digits, such as a phone number, are shown as they are. */
const isFigure = (value: string): boolean => /^-?\d+(\.\d+)?$/.test(value)

function valueInWords(key: string, value: string): string {
  if (value === "true") return t(($) => $.lists.filter.true)
  return value === "false" ? t(($) => $.lists.filter.false) : shown(key, value)
}
