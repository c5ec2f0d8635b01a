import type { Database } from "../../core/engine/engine"
import { hasEntries } from "../../core/write/audit-log"
import { Refusal } from "../../core/lib/refusal"
import { equals } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import type { TableStore } from "../../core/store/table-store"
import { auditLogs, type AuditRow } from "./model"

export function auditService(
  db: Database,
  store: TableStore<typeof auditLogs>,
  /** The user whom an API key belongs to; null if the key was deleted. */
  ownerOfKey: (id: string) => { id: string; name: string } | null,
) {
  return {
    ownerOfKey,
    list: (query: ListQuery) => store.list(query),
    findMany: store.findMany,
    get(id: string): AuditRow {
      const row = store.find(id)
      if (!row)
        throw new Refusal("NOT_FOUND", "There is no such audit log entry.", {
          params: { kind: auditLogs.name, id: id.slice(0, 64) },
        })
      return row
    },
    history: (kind: string, id: string, query: ListQuery) =>
      store.list(query, [equals("recordId", id), equals("kind", kind)]),
    hasHistory: (kind: string, id: string): boolean => hasEntries(db, kind, id),
  }
}

export type AuditService = ReturnType<typeof auditService>
