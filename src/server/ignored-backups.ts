import type { Log } from "../core/lib/log"

/** Returns a function that logs, once for each name, that a backup is ignored. */
export function reportOnce(log: Log): (name: string) => void {
  const reported = new Set<string>()
  return (file) => {
    if (!reported.has(file))
      log.warn(
        "The name of a backup has a time in the future, or no valid time. It is ignored and not deleted.",
        { file },
      )
    reported.add(file)
  }
}
