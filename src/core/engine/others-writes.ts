import { otherProcessVersion } from "./change-token"
import type { Database } from "./engine"

/** Calls a listener whenever something happens. Returns the function that ends it. */
export type Subscribe = (listener: () => void) => () => void

/** In milliseconds: how long a write of another process is noticed later, while somebody waits for one. */
const lookEvery = 50

export function listeners() {
  const all = new Set<() => void>()
  const subscribe: Subscribe = (listener) => {
    // A function of its own, because a listener can be given twice.
    const own = () => listener()
    all.add(own)
    return () => void all.delete(own)
  }
  return { subscribe, tell: () => [...all].forEach((listener) => listener()), isEmpty: () => all.size === 0 }
}

/**
 * Tells when another process has written to a shared database: its notification has arrived on the connection. A lost
 * connection is not opened here, because that blocks; once it is open again, the listeners are told. One server at a time
 * uses a file, so nobody is told of writes to it.
 */
export function othersWrites(db: Database): Subscribe {
  if (!db.engine.isShared) return () => () => {}
  const { subscribe, tell, isEmpty } = listeners()
  let timer: Timer | undefined
  let seen = 0

  const look = (): void => {
    const version = versionNow(db)
    if (version === null || version === seen) return
    seen = version
    tell()
  }
  return (listener) => {
    // What was written since somebody last waited is told, because the listener may have read before it.
    if (isEmpty()) timer = setInterval(look, lookEvery).unref()
    const end = subscribe(listener)
    return () => {
      end()
      if (isEmpty()) clearInterval(timer)
    }
  }
}

/** Returns null while the connection is lost. */
function versionNow(db: Database): number | null {
  try {
    return db.engine.changes.isConnected() ? otherProcessVersion(db) : null
  } catch {
    return null
  }
}
