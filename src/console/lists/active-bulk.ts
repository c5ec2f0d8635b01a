import { useMay } from "../api/hooks"
import type { ActiveKind, Kinds } from "../api/types"
import { kinds } from "../kinds"
import { t } from "../texts"
import type { BulkAction } from "./bulk-run"

/** The bulk actions for records that can be inactive, as far as the user has the rights. */
export function useActiveBulk<K extends ActiveKind>(kind: K): BulkAction<Kinds[K]>[] {
  const may = useMay()
  const { area } = kinds[kind].right
  if (!may(area, "write")) return []
  const setActive =
    (isActive: boolean) =>
    ({ id, version }: Kinds[K]) => ({
      op: "update" as const,
      id,
      ifMatch: String(version),
      body: { isActive },
    })
  const bulk: BulkAction<Kinds[K]>[] = [
    {
      label: t(($) => $.lists.activate),
      done: "activated",
      operation: setActive(true),
      undo: ({ id, isActive }) => (isActive ? null : { op: "update", id, body: { isActive } }),
    },
    {
      label: t(($) => $.lists.deactivate),
      done: "deactivated",
      operation: setActive(false),
      undo: ({ id, isActive }) => (isActive ? { op: "update", id, body: { isActive } } : null),
    },
  ]
  if (may(area, "delete"))
    bulk.push({
      label: t(($) => $.common.delete),
      done: "deleted",
      isDangerous: true,
      operation: ({ id, version }) => ({ op: "delete", id, ifMatch: String(version) }),
    })
  return bulk
}
