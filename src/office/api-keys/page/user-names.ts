import { useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { User } from "../../../console/api/types"

/** The names of all users by id, for admins. API keys contain only the id of their owner. */
export function useUserNames(isWanted: boolean): ReadonlyMap<string, string> {
  const { data } = useQuery({ queryKey: ["users", "names"], queryFn: readAll, enabled: isWanted })
  return data ?? nobody
}

const nobody: ReadonlyMap<string, string> = new Map()

async function readAll(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  let cursor: string | null = ""
  while (cursor !== null) {
    const query = new URLSearchParams({ perPage: "100", sort: "name", order: "asc", fields: "id,name" })
    if (cursor) query.set("cursor", cursor)
    const { data, meta } = await call<Pick<User, "id" | "name">[]>("GET", `/users?${query}`)
    for (const { id, name } of data) names.set(id, name)
    cursor = meta?.nextCursor ?? null
  }
  return names
}
