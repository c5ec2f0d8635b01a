import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query"
import { createContext, use } from "react"
import { call } from "./client"
import { ApiError } from "./send"
import { storeCurrency } from "../format"
import type { ApiAnswer, Area, Kind, Kinds, Me, Scope } from "./types"

/** The signed-in user. The shell loads the user before it shows a page. */
export const SignedIn = createContext<Me | null>(null)

export function useMe(): Me {
  const me = use(SignedIn)
  if (!me) throw new Error("No user is signed in.")
  return me
}

export const useMeQuery = (): UseQueryResult<Me> =>
  useQuery({
    queryKey: ["me"],
    queryFn: async () => {
      const { data } = await call<Me>("GET", "/auth/me")
      storeCurrency(data.company.currency, data.company.currencyDigits)
      return data
    },
    staleTime: 60_000,
  })

/** Checks the rights of the user. The console hides actions that the user may not do. */
export function useMay(): (area: Area, scope: Scope) => boolean {
  const { rights } = useMe()
  return (area, scope) => rights[area].includes(scope)
}

/** Reads one record by its id. Sends no request while there is no id. */
export const useRecord = <K extends Kind>(
  kind: K,
  id: string | null | undefined,
  /** How often a record is read again that has no events, in ms. */
  readEvery: number | false = false,
) =>
  useQuery({
    queryKey: [kind, id],
    queryFn: async () => (await call<Kinds[K]>("GET", `/${kind}/${id}`)).data,
    enabled: Boolean(id),
    refetchInterval: readEvery,
  })

/** Reads any other path of the API. */
export const useRead = <T>(path: string, isWanted = true) =>
  useQuery({
    queryKey: ["read", path],
    queryFn: async () => (await call<T>("GET", path)).data,
    enabled: isWanted,
  })

type ListParams = Record<string, string>

/** Reads a list page by page. The first page has the total; the next pages continue from the cursor. */
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

type Outcome<T> = { onSuccess?: (answer: ApiAnswer<T>) => void; onError?: (error: unknown) => void }

/**
 * A write request. After it, all queries on the page are read again, because the values of one record depend on other
 * records. A page has few queries, so this is not expensive. The outcome is reported even if the component has
 * disappeared by then, such as the row of a deleted payment; the callbacks of TanStack's `mutate` are not called then.
 */
export function useChange<V, T = unknown>(change: (value: V) => Promise<ApiAnswer<T>>) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => {
      // After an error from the server, the data on the page may be outdated. Status 0 means that there was no
      // response.
      if (error instanceof ApiError && error.status !== 0) void client.invalidateQueries()
    },
  })
  const mutate = (value: V, { onSuccess, onError = () => {} }: Outcome<T> = {}) =>
    void mutateAsync(value).then(onSuccess, onError)
  return { mutate, mutateAsync, isPending }
}
