import type { QueryClient } from "@tanstack/react-query"
import { call, messageOf } from "../../../../console/api/client"
import { ApiError } from "../../../../console/api/send"
import type { Item } from "../../../../console/api/types"
import { t } from "../texts"
import type { CountedItem } from "./draft"

/** The item with a code, or why it cannot be counted. */
export type Found = { item: CountedItem } | { problem: string }

type Read = CountedItem & Pick<Item, "itemType">

const fields = "id,itemCode,itemName,uom,currentStock,itemType"

/** Scans of the same code within this time in ms ask the server once. */
const staleTime = 60_000

/** The fields that a scanned code may be, in the order in which they are tried. A shop may keep the barcode in externalId. */
const keys = ["itemCode", "barcode", "externalId"] as const

/** Finds the item with a code or barcode. */
export async function findItem(client: QueryClient, code: string): Promise<Found> {
  try {
    const item = await client.fetchQuery({
      queryKey: ["items", "scanned", code],
      queryFn: () => readByAny(code),
      staleTime,
    })
    if (!item) return { problem: t(($) => $.stockCount.unknown, { code }) }
    const { itemType, ...counted } = item
    return itemType === "Service"
      ? { problem: t(($) => $.stockCount.service, { code, name: item.itemName }) }
      : { item: counted }
  } catch (error) {
    return { problem: t(($) => $.stockCount.notRead, { code, message: messageOf(error) }) }
  }
}

async function readByAny(code: string): Promise<Read | null> {
  for (const key of keys) {
    const item = await readBy(key, code)
    if (item) return item
  }
  return null
}

async function readBy(field: (typeof keys)[number], code: string): Promise<Read | null> {
  try {
    const path = `/items/by/${field}/${encodeURIComponent(code)}?fields=${fields}`
    return (await call<Read>("GET", path)).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** The most ids in one filter. */
const mostIds = 100

/** Reads the present stock of items, by their ids. */
export async function readStock(ids: readonly string[]): Promise<Map<string, number>> {
  const stock = new Map<string, number>()
  for (let i = 0; i < ids.length; i += mostIds) {
    const query = new URLSearchParams({
      "id[in]": ids.slice(i, i + mostIds).join(","),
      fields: "id,currentStock",
      perPage: String(mostIds),
    })
    const { data } = await call<Pick<Item, "id" | "currentStock">[]>("GET", `/items?${query}`)
    for (const { id, currentStock } of data) stock.set(id, currentStock)
  }
  return stock
}
