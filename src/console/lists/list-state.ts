import { useSearchParams } from "wouter"

const perPage = "50"

/** The search, filters and sort order of a list. They are in the URL, so that they can be bookmarked and shared. */
export function useListState(sort: string, order: "asc" | "desc", fixed: Record<string, string> = {}) {
  const [params, setParams] = useSearchParams()
  const given = Object.fromEntries(params)
  const query = { perPage, sort, order, ...given, ...fixed }

  /** Sets parameters, and removes the empty ones. Adds no entry to the browser history. */
  const change = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      { replace: true },
    )

  return {
    query: query as Record<string, string>,
    search: given["search"] ?? "",
    sort: query.sort,
    order: query.order,
    given,
    valueOf: (name: string): string | null => given[name] ?? null,
    isNarrowed: Object.keys(given).some((name) => name !== "sort" && name !== "order"),
    change,
    /** Replaces all parameters. */
    show: (next: Record<string, string>) => setParams(new URLSearchParams(next), { replace: true }),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
    sortBy: (name: string) =>
      change({ sort: name, order: query.sort === name && query.order === "asc" ? "desc" : "asc" }),
  }
}

export type ListState = ReturnType<typeof useListState>
