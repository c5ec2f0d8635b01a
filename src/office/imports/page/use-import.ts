import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { millisOf } from "../../../shared/dates"
import { call } from "../../../console/api/client"
import { clock } from "../../../console/clock"
import type { Import } from "./kinds"

/** How often a running import is read, in ms: often at first, because most are short. */
const [often, seldom] = [500, 2_000]
const shortTime = 10_000

export const hasEnded = ({ status }: Pick<Import, "status">): boolean =>
  status === "finished" || status === "failed"

function pause({ createdAt }: Import): number {
  return clock.business() - millisOf(createdAt) < shortTime ? often : seldom
}

/** Reads an import again and again until it has ended. */
export const useImport = (id: string | null): UseQueryResult<Import> =>
  useQuery({
    queryKey: ["imports", id],
    queryFn: async () => (await call<Import>("GET", `/imports/${encodeURIComponent(id ?? "")}`)).data,
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : data ? pause(data) : often),
  })

/** Stops an import. Rows that it has written stay. */
export const cancelImport = (id: string) => call<Import>("POST", `/imports/${id}/cancel`)
