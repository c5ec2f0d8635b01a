import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query"
import { call } from "./client"
import { ApiError } from "./send"
import { learnCurrency } from "../format"
import type { ApiAnswer, Area, Kind, Kinds, Me, Scope } from "./types"

/** Who is signed in. The shell loads it before it shows any page. */
export function useMe(): Me {
  const { data } = useMeQuery()
  if (!data) throw new Error("Nobody is signed in.")
  return data
}

export const useMeQuery = (): UseQueryResult<Me> =>
  useQuery({
    queryKey: ["me"],
    queryFn: async () => {
      const { data } = await call<Me>("GET", "/auth/me")
      learnCurrency(data.company.currency, data.company.currencyDigits)
      return data
    },
    staleTime: 60_000,
  })

/** Whether the person may do something: what they may not do is not offered. */
export function useMay(): (area: Area, scope: Scope) => boolean {
  const { rights } = useMe()
  return (area, scope) => rights[area].includes(scope)
}

/** Reads one record by its id; sends nothing while there is no id. */
export const useRecord = <K extends Kind>(kind: K, id: string | null | undefined) =>
  useQuery({
    queryKey: [kind, id],
    queryFn: async () => (await call<Kinds[K]>("GET", `/${kind}/${id}`)).data,
    enabled: Boolean(id),
  })

/** Reads anything else. */
export const useRead = <T>(path: string, isWanted = true) =>
  useQuery({
    queryKey: ["read", path],
    queryFn: async () => (await call<T>("GET", path)).data,
    enabled: isWanted,
  })

export type ListParams = Record<string, string>

/** Reads a list page by page: the first page has the total, the next pages continue from the cursor. */
export const useList = <K extends Kind>(kind: K, params: ListParams, path: string = `/${kind}`) =>
  useInfiniteQuery({
    queryKey: [kind, "list", path, params],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(params)
      if (pageParam) query.set("cursor", pageParam)
      return call<Kinds[K][]>("GET", `${path}?${query}`, { signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta?.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/**
 * A change, after which everything shown is asked for again: figures of one record follow from others, and a small
 * business has few of them on a page.
 */
export function useChange<V, T = unknown>(change: (value: V) => Promise<ApiAnswer<T>>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => {
      // After a refusal, what is shown may be out of date. No answer (status 0) says nothing about that.
      if (error instanceof ApiError && error.status !== 0) void client.invalidateQueries()
    },
  })
}
