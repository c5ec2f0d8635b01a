import type { Typed } from "../../../../console/forms/number"
import type { CountedItem } from "./draft"

/** The inputs of a scan, and what the person was told about the last one. */
export type Scan = {
  code: string
  quantity: Typed
  /** The item with the code, after the server has responded. */
  item: CountedItem | null
  /** What was counted of the item before this scan. */
  before: Typed | undefined
  problem: string | null
  done: string | null
  /** Increases with each message, so that the same sentence is announced again. */
  told: number
}

export type ScanAction =
  | { type: "code"; code: string }
  | { type: "quantity"; quantity: Typed }
  | { type: "search" }
  | { type: "found"; item: CountedItem; before: Typed | undefined }
  | { type: "problem"; problem: string }
  | { type: "done"; done: string }
  | { type: "clear" }
  | { type: "cancel" }

export const noScan: Scan = {
  code: "",
  quantity: "",
  item: null,
  before: undefined,
  problem: null,
  done: null,
  told: 0,
}

export function scanAfter(scan: Scan, action: ScanAction): Scan {
  switch (action.type) {
    case "code":
      return { ...scan, code: action.code, item: null, before: undefined }
    case "quantity":
      return { ...scan, quantity: action.quantity }
    // The problem was about another code.
    case "search":
      return { ...scan, problem: null }
    case "found":
      return { ...scan, item: action.item, before: action.before }
    case "problem":
      return { ...scan, problem: action.problem, done: null, told: scan.told + 1 }
    case "done":
      return { ...scan, problem: null, done: action.done, told: scan.told + 1 }
    case "clear":
      return { ...noScan, problem: scan.problem, done: scan.done, told: scan.told }
    // What was wrong with the inputs is gone with them.
    case "cancel":
      return { ...noScan, told: scan.told }
  }
}
