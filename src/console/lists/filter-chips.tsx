import { Button, Group, Text, VisuallyHidden } from "@mantine/core"
import { IconX } from "../parts/icons"
import { focusTop } from "../shell/focus"
import { t } from "../texts"
import { daysInWords } from "./days-filter"
import { parametersOf, type Filter } from "./filters"
import type { ListState } from "./list-state"
import { UrlFilters } from "./url-filters"

type Props = {
  state: ListState
  filters: Filter[]
  hasSearch: boolean
  /** Describes a parameter of the URL. */
  describe?: (name: string, value: string) => string | undefined
}

/** The filters of a list on a phone, where their inputs are behind a button. Each can be removed. */
export function FilterChips({ state, filters, ...others }: Props) {
  const chips = filters.flatMap((filter) => {
    const text = inWords(filter, state)
    return text === null ? [] : [{ key: filter.key, text, parameters: parametersOf(filter) }]
  })
  return (
    <Group gap="xs" w="100%">
      {chips.map(({ key, text, parameters }) => (
        <Button
          key={key}
          variant="light"
          size="sm"
          rightSection={<IconX size={14} />}
          maw="100%"
          onClick={() => {
            state.change(Object.fromEntries(parameters.map((name) => [name, null])))
            focusTop()
          }}
        >
          <Text span inherit truncate>
            {text}
          </Text>
          <VisuallyHidden> {t(($) => $.lists.filter.remove)}</VisuallyHidden>
        </Button>
      ))}
      <UrlFilters state={state} filters={filters} {...others} />
    </Group>
  )
}

/** Status: Draft, Submitted. Null if the filter is not set. */
function inWords(filter: Filter, state: ListState): string | null {
  if ("on" in filter) return state.valueOf(filter.key) === filter.on ? filter.label : null
  if ("isDate" in filter) {
    const days = daysInWords(filter.key, state)
    return days === "" ? null : `${filter.label}: ${days}`
  }
  const values = (state.valueOf(`${filter.key}[in]`) ?? "").split(",").filter(Boolean)
  if (values.length === 0) return null
  const labels = values.map((value) => filter.options.find((each) => each.value === value)?.label ?? value)
  return `${filter.label}: ${labels.join(", ")}`
}
