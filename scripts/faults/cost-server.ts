// The server that is asked, with somebody who watches it.
import type { Kontor } from "../../test/support/kontor"
import { cpuMillis, send } from "./cost-measure"
import { watchOf, type Watch } from "./cost-watch"

export type Watched = Awaited<ReturnType<typeof underWatch>>

/** A server with somebody who watches it, and another one in its place when it has died or does not come back. */
export async function underWatch(start: () => Promise<Kontor>) {
  let kontor = await start()
  let watch: Watch = watchOf(kontor.url)
  const now = () => ({ url: kontor.url, pid: kontor.process.pid, watch })
  return {
    now,
    async stop(): Promise<void> {
      watch.stop()
      await kontor.stop()
    },
    /** Says what had to be done, or null when the server lives. */
    async revive(): Promise<string | null> {
      const isAlive = (await send(kontor.url, { method: "GET", path: "/health" })).status === 200
      if (isAlive) return null
      const ended = kontor.process.exitCode ?? kontor.process.signalCode
      watch.stop()
      await kontor.stop("SIGKILL")
      kontor = await start()
      watch = watchOf(kontor.url)
      await atRest(kontor.process.pid)
      return ended === null ? "the server did not come back" : `the server ended with ${ended}`
    },
  }
}

/** More CPU time than this in half a second is work; the watcher's requests alone take less. */
const idle = 60

/**
 * Waits until a server has had nothing to do for two seconds, or for two minutes. It begins to learn words a moment
 * after its start, and on a busy machine it may have to pause.
 */
export async function atRest(pid: number): Promise<void> {
  for (let [quiet, rounds] = [0, 0]; quiet < 4 && rounds < 240; rounds++) {
    const before = cpuMillis(pid)
    await Bun.sleep(500)
    quiet = cpuMillis(pid) - before > idle ? 0 : quiet + 1
  }
}
