import { useQuery } from "@tanstack/react-query"
import { call } from "../api/client"
import type { CreditNote, Hit, Invoice, Kinds, SalesOrder } from "../api/types"
import { money } from "../format"
import { t } from "../texts"

const kinds = ["sales-orders", "invoices", "credit-notes"] as const
type DocumentKind = (typeof kinds)[number]
type Document = Pick<SalesOrder | Invoice | CreditNote, "id" | "total" | "currency" | "status">

/** The amount and the status of the documents among the hits, by id: a number alone says little about a document. */
export function useDetails(hits: Partial<Record<keyof Kinds, Hit[]>>): ReadonlyMap<string, string> {
  const wanted = kinds.map((kind) => ({ kind, ids: (hits[kind] ?? []).map(({ id }) => id) }))
  const { data } = useQuery({
    queryKey: ["search", "details", wanted],
    queryFn: async () => new Map((await Promise.all(wanted.map(read))).flat()),
    enabled: wanted.some(({ ids }) => ids.length > 0),
  })
  return data ?? new Map()
}

async function read({ kind, ids }: { kind: DocumentKind; ids: string[] }): Promise<[string, string][]> {
  if (ids.length === 0) return []
  const path = `/${kind}?id[in]=${ids.join(",")}&fields=id,total,currency,status`
  const { data } = await call<Document[]>("GET", path)
  return data.map(({ id, total, currency, status }) => [
    id,
    `${money(total, currency)} · ${t(($) => $.values.status[status])}`,
  ])
}
