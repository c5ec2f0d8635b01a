// What happens while this thread waits for another program, so that its event loop stands still.

type Listener = {
  begin(): void
  /** Runs when the event loop goes on. */
  end(): void
}

const listeners = new Set<Listener>()
let waits = 0
let isStill = false

/** Calls a listener when the event loop stands still and when it goes on. Returns a function that removes it. */
export function watchStandstill(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Runs work that may block this thread for long. */
export function standStill<T>(work: () => T): T {
  if (!isStill) {
    isStill = true
    for (const { begin } of listeners) begin()
  }
  waits++
  try {
    return work()
  } finally {
    // Until the next turn of the event loop, other work may block it again.
    if (--waits === 0) setImmediate(goOn)
  }
}

function goOn(): void {
  if (!isStill || waits > 0) return
  isStill = false
  for (const { end } of listeners) end()
}
