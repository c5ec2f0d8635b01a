import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../../console/api/client"
import type { Item } from "../../../console/api/types"

/** The maximum number of ids in one request. */
const maxIds = 100

/** Reads the current items of the lines. Their stock can change while the user edits a document. */
export function useLineItems(ids: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlyMap<string, Item>>(new Map())
  const wanted = [...new Set(ids)].filter((id) => id !== "" && !picked.has(id)).sort()
  const { data, isLoading } = useQuery({
    queryKey: ["items", "of-lines", wanted],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(wanted.length / maxIds) }, (_, i) =>
        wanted.slice(i * maxIds, (i + 1) * maxIds),
      )
      const answers = await Promise.all(
        parts.map((part) =>
          call<Item[]>("GET", `/items?perPage=${maxIds}&id[in]=${part.join(",")}`, { signal }),
        ),
      )
      return new Map(answers.flatMap((answer) => answer.data).map((item) => [item.id, item]))
    },
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  })
  return {
    isLoading,
    find: (id: string): Item | undefined => picked.get(id) ?? data?.get(id),
    add: (item: Item) => setPicked((before) => new Map(before).set(item.id, item)),
  }
}
