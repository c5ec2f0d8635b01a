import { useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import type { JobFailure } from "../../../console/parts/shown"

/** A change of prices that runs on the server. */
export type PriceJob = {
  id: string
  status: "queued" | "checking" | "applying" | "finished" | "failed"
  progress: number
  counts: Record<"matched" | "updated" | "unchanged" | "failed", number>
  faults: { record?: string; code?: string; message: string }[]
  faultCount: number
  error: JobFailure | null
}

/** Starts a job. */
export const startReprice = async (body: object): Promise<string> =>
  (await call<PriceJob>("POST", "/items/reprice", { body })).data.id

export const hasEnded = ({ status }: Pick<PriceJob, "status">): boolean =>
  status === "finished" || status === "failed"

const pause = 500

/** True if a job does not exist any more, or if the user has lost the right to see it. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404].includes(error.status)

/** Reads a job again and again until it has ended. */
export const usePriceJob = (id: string | null) =>
  useQuery({
    queryKey: ["jobs", id],
    queryFn: async () => (await call<PriceJob>("GET", `/jobs/${id ?? ""}`)).data,
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) =>
      (data && hasEnded(data)) || isGone(error) ? false : pause,
  })

/** Stops a job. Prices that it has changed stay. */
export const stopReprice = (id: string) => call("POST", `/jobs/${id}/cancel`)

/** The codes of items by their ids. Those that were deleted have none. */
export const useItemCodes = (ids: readonly string[]) =>
  useQuery({
    queryKey: ["items", "codes", ids],
    queryFn: async () => {
      const path = `/items?fields=id,itemCode&perPage=100&id%5Bin%5D=${ids.join(",")}`
      const { data } = await call<{ id: string; itemCode: string }[]>("GET", path)
      return new Map(data.map(({ id, itemCode }) => [id, itemCode]))
    },
    enabled: ids.length > 0,
  })
