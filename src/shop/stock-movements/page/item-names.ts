import { useQueries } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { Item, StockMovement } from "../../../console/api/types"

export type ItemName = Pick<Item, "id" | "itemCode" | "itemName" | "uom">

/** Reads the names of the items in pages of stock movements, with one request per page instead of one per row. */
export function useItemNames(pages: StockMovement[][]): Map<string, ItemName> {
  const idsPerPage = pages.map(idsIn)
  const answers = useQueries({
    queries: idsPerPage
      .filter((ids) => ids !== "")
      .map((ids) => ({
        queryKey: ["items", "names", ids],
        queryFn: () => readNames(ids),
      })),
  })
  return byId(answers.flatMap(({ data = [] }) => data))
}

const idsIn = (rows: StockMovement[]) => [...new Set(rows.map(({ item }) => item))].toSorted().join(",")

const byId = (items: ItemName[]) => new Map(items.map((item) => [item.id, item]))

async function readNames(ids: string): Promise<ItemName[]> {
  const query = new URLSearchParams({ "id[in]": ids, fields: "id,itemCode,itemName,uom", perPage: "100" })
  return (await call<ItemName[]>("GET", `/items?${query}`)).data
}
