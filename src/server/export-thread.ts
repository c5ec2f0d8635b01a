/** Starts the thread of an export. */
export const exportThread = (): Worker => new Worker(new URL("./export-worker.ts", import.meta.url).href)
