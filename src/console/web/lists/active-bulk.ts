import { call } from "../api/client"
import { useMay } from "../api/hooks"
import type { Kinds } from "../api/types"
import type { BulkAction } from "./bulk-bar"

/** The bulk actions for items or customers that the user has the rights for. */
export function useActiveBulk<K extends "items" | "customers">(kind: K): BulkAction<Kinds[K]>[] {
  const may = useMay()
  if (!may(kind, "write")) return []
  const setActive = (isActive: boolean) => (row: Kinds[K]) =>
    call("PUT", `/${kind}/${row.id}`, { body: { isActive }, version: row.version })
  const bulk: BulkAction<Kinds[K]>[] = [
    { label: "Activate", done: "activated", run: setActive(true) },
    { label: "Deactivate", done: "deactivated", run: setActive(false) },
  ]
  if (may(kind, "delete"))
    bulk.push({
      label: "Delete",
      done: "deleted",
      isDangerous: true,
      run: ({ id, version }) => call("DELETE", `/${kind}/${id}`, { version }),
    })
  return bulk
}
