import { t } from "./texts"
import { number } from "../../../console/format"
import type { Import } from "./kinds"

/** True when an import has not begun because another one runs. */
export const isWaiting = ({ status, startedAt }: Pick<Import, "status" | "startedAt">): boolean =>
  status === "queued" && startedAt === null

/** The status of an import. One that was cancelled or undone has its own word. */
export function statusInWords({ status, error, undoneAt, canUndo }: Import): string {
  if (undoneAt !== null) return t(($) => (canUndo ? $.status.partlyUndone : $.status.undone))
  if (status === "failed" && error?.code === "CANCELLED") return t(($) => $.status.cancelled)
  return t(($) => $.status[status])
}

export const colourOf = ({ status, undoneAt }: Import): string =>
  undoneAt === null ? statusColour[status] : "gray"

const statusColour: Record<Import["status"], string> = {
  queued: "gray",
  checking: "blue",
  applying: "blue",
  finished: "teal",
  failed: "red",
}

/** The rows of sums that an import leaves out. */
export const skippedInWords = (rows: Import["skippedRows"]): string =>
  t(($) => $.skippedTotals, {
    count: rows.length,
    shown: number(rows.length),
    rows: rows.map(({ row, text }) => t(($) => $.skippedRow, { row: number(row), text })).join("; "),
  })
