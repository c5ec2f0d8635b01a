import { getPriority, setPriority } from "node:os"

/** The values of nice: a thread of the lowest priority, and how much lower than the one that answers requests. */
const [lowest, below] = [19, 10]

/**
 * Lets requests run before this thread when there are fewer cores than threads. Only Linux has a priority per thread. A
 * process that was started with a low priority already cannot raise it, and some systems refuse every change; the work is
 * then done with the priority that there is.
 */
export function runAfterRequests(): void {
  if (process.platform !== "linux") return
  try {
    setPriority(0, Math.min(getPriority(0) + below, lowest))
  } catch {
    // It only takes longer for other requests.
  }
}
