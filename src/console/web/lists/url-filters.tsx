import { Button, Text, VisuallyHidden } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { words } from "../format"
import { focusTop } from "../shell/focus"
import type { Filter } from "./filters"
import type { ListState } from "./list-state"

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
    if (!("isDate" in filter)) seen.add(`${filter.key}[in]`)
    else if (state.valueOf(`${filter.key}[gte]`)) seen.add(`${filter.key}[gte]`).add(`${filter.key}[lte]`)
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
        <VisuallyHidden> (remove filter)</VisuallyHidden>
      </Button>
    ))
}

const signs: Record<string, string> = {
  ne: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  like: "like",
  in: "is",
}

/** isLowStock=true → Is low stock: true; total[gte]=100 → Total ≥ 100; category[null]=true → Category: empty. */
function inWords(name: string, value: string): string {
  const [, field = name, operator = ""] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
  if (operator === "null") return `${words(field)}: ${value === "true" ? "empty" : "not empty"}`
  const sign = signs[operator]
  return sign ? `${words(field)} ${sign} ${value}` : `${words(field)}: ${value}`
}
