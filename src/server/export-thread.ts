import { EndingWorker } from "../core/lib/process/ending-worker"

/** Starts the thread of an export. */
export const exportThread = (): Worker =>
  new EndingWorker(new URL("./export-worker.ts", import.meta.url).href)
