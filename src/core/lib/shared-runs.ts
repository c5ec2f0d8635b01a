/**
 * Returns a function that runs work, once for all callers that wait for the same key. A caller that comes while the work
 * runs waits for the next run, because the current one may not see what was written just before.
 */
export function sharedRuns<T>() {
  type Runs = { current: Promise<T>; next: Promise<T> | null }
  const running = new Map<string, Runs>()

  function start(key: string, work: () => Promise<T>): Promise<T> {
    const runs: Runs = { current: work(), next: null }
    running.set(key, runs)
    const end = () => void (runs.next === null && running.delete(key))
    runs.current.then(end, end)
    return runs.current
  }

  return (key: string, work: () => Promise<T>): Promise<T> => {
    const runs = running.get(key)
    if (!runs) return start(key, work)
    const restart = () => start(key, work)
    runs.next ??= runs.current.then(restart, restart)
    return runs.next
  }
}

/** Creates a value on first use and caches it. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
