import { EndingWorker } from "../core/lib/process/ending-worker"

export const exportThread = (): Worker =>
  new EndingWorker(new URL("./export-worker.ts", import.meta.url).href)
