import { isatty } from "node:tty"

/**
 * SIGTERM and SIGINT stop a server, and SIGHUP reloads its certificate. A signal during startup takes effect when startup
 * has finished. `until` stops it too.
 */
export function listenToSignals(until?: Promise<void>) {
  const stop = Promise.withResolvers<void>()
  void until?.then(stop.resolve)
  const reload = { run: null as (() => void) | null, isWanted: false }
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor))
  process.once("SIGTERM", () => stop.resolve())
  process.once("SIGINT", () => stop.resolve())
  const onHangUp = (): void => {
    // The system sends the same signal when a terminal is closed. A server that was started in it should end with it.
    if (!terminals.every((descriptor) => isatty(descriptor))) stop.resolve()
    else if (reload.run) reload.run()
    else reload.isWanted = true
  }
  // On Windows, this is how the system ends a program whose window was closed.
  if (process.platform !== "win32") process.on("SIGHUP", onHangUp)
  return {
    stopRequested: stop.promise,
    onReload(run: () => void): void {
      reload.run = run
      if (reload.isWanted) run()
    },
  }
}
