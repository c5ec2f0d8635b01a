// The server under test and the thread that watches it.
import type { Kontor } from "../../test/support/kontor"
import { cpuOf } from "../bench/server"
import { send } from "./cost-measure"
import { watchOf, type Watch } from "./cost-watch"

export type Watched = Awaited<ReturnType<typeof watchedServer>>

/** Starts a server with a watcher, and starts another one when it has ended or no longer responds. */
export async function watchedServer(start: () => Promise<Kontor>, pause?: number) {
  let kontor = await start()
  const watched = () => watchOf(kontor.url, kontor.process.pid, pause)
  let watch: Watch = watched()
  const now = () => ({ url: kontor.url, pid: kontor.process.pid, watch })
  return {
    now,
    async stop(): Promise<void> {
      watch.stop()
      await kontor.stop()
    },
    /** Restarts the server if it does not respond. Returns why, or null when it responds. */
    async restartIfDead(): Promise<string | null> {
      const isAlive = (await send(kontor.url, { method: "GET", path: "/health" })).status === 200
      if (isAlive) return null
      const ended = kontor.process.exitCode ?? kontor.process.signalCode
      watch.stop()
      await kontor.stop("SIGKILL")
      kontor = await start()
      watch = watched()
      await untilIdle(kontor.process.pid)
      return ended === null ? "the server no longer responded" : `the server ended with ${ended}`
    },
  }
}

/** More CPU time than this in half a second is work; the watcher's requests alone take less. */
const idle = 60

/**
 * Waits until a server has been idle for two seconds, or for two minutes. The server begins to load words a moment
 * after its start, and on a busy machine it may pause.
 */
export async function untilIdle(pid: number): Promise<void> {
  for (let [quiet, rounds] = [0, 0]; quiet < 4 && rounds < 240; rounds++) {
    const before = cpuMillis(pid)
    await Bun.sleep(500)
    quiet = cpuMillis(pid) - before > idle ? 0 : quiet + 1
  }
}

/** The CPU time of a process, in ms; 0 when it has ended or the system does not report it. */
function cpuMillis(pid: number): number {
  try {
    return cpuOf(pid) / 1000
  } catch {
    return 0
  }
}
