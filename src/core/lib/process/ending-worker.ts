/** In milliseconds. A thread that has not ended by itself after this time is terminated. */
const patience = 2_000

/** What a thread gets before it ends. */
export type End = { end: true }

/**
 * A thread that is told to end, so that it can close its connection to a database server first: the system closes it only
 * with the whole process.
 */
export class EndingWorker extends Worker {
  override terminate(): void {
    const timer = setTimeout(() => super.terminate(), patience).unref()
    this.addEventListener("close", () => clearTimeout(timer))
    this.postMessage({ end: true } satisfies End)
  }
}
