import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../console/api/client"
import type { Kinds } from "../../console/api/types"

/** The kinds of records that a picker offers. */
export type PickedKind = "items" | "customers" | "tax-codes"

type Options<K extends PickedKind> = {
  kind: K
  sort: string
  where?: Record<string, string>
  codeOf: (record: Kinds[K]) => string
  /** The typed text; null if the user is not typing. */
  typed: string | null
  isWanted: boolean
}

const active = { status: "active" }

/** Finds the records that match the typed text. A record whose full code was typed comes first. */
export function useFound<K extends PickedKind>(options: Options<K>) {
  const { kind, sort, where = active, codeOf, isWanted } = options
  const typed = options.typed?.trim() ?? ""
  const [searched] = useDebouncedValue(typed, 150)
  const { data, error, isFetching } = useQuery({
    queryKey: [kind, "picker", where, searched],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        ...where,
        perPage: "20",
        sort,
        order: "asc",
        search: searched,
      })
      return (await call<Kinds[K][]>("GET", `/${kind}?${query}`, { signal })).data
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const isExact = (record: Kinds[K]) => codeOf(record).toLowerCase() === searched.toLowerCase()
  return {
    data,
    found: [...(data ?? [])].sort((a, b) => Number(isExact(b)) - Number(isExact(a))),
    searched,
    error,
    isAnswered: data !== undefined || Boolean(error),
    isWaiting: isFetching || searched !== typed,
  }
}
