import { useQueries } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { AuditEntry } from "../../../console/api/types"

/** The fields that name the records of a kind. */
const nameFields: Record<string, string> = {
  "credit-notes": "creditNoteNumber",
  customers: "name",
  invoices: "invoiceNumber",
  items: "itemName",
  payments: "customerName",
  "sales-orders": "orderNumber",
  users: "name",
}

/**
 * Reads the names of the records in pages of the audit log, by id, with one request per page and kind. Deleted records
 * have no name any more.
 */
export function useRecordNames(pages: AuditEntry[][]): ReadonlyMap<string, string> {
  const answers = useQueries({
    queries: pages.flatMap(idsByKind).map(([kind, ids]) => ({
      queryKey: [kind, "names", ids],
      queryFn: () => readNames(kind, ids),
    })),
  })
  return new Map(answers.flatMap(({ data = [] }) => data))
}

function idsByKind(entries: AuditEntry[]): [kind: string, ids: string][] {
  return Object.keys(nameFields).flatMap((kind): [string, string][] => {
    const ids = entries.filter((entry) => entry.kind === kind).flatMap(({ recordId }) => recordId ?? [])
    return ids.length === 0 ? [] : [[kind, [...new Set(ids)].toSorted().join(",")]]
  })
}

async function readNames(kind: string, ids: string): Promise<[id: string, name: string][]> {
  const field = nameFields[kind] ?? "id"
  const query = new URLSearchParams({ "id[in]": ids, fields: `id,${field}`, perPage: "100" })
  const { data } = await call<Record<string, string | null>[]>("GET", `/${kind}?${query}`)
  return data.flatMap((record): [string, string][] => {
    const [id, name] = [record["id"], record[field]]
    return id && name ? [[id, name]] : []
  })
}
