import { useSyncExternalStore } from "react"
import { beforeSignOut } from "./session"

/** The time in ms that a delete waits before it is sent. */
export const undoTime = 8_000

/** Sends what has waited. `isLeaving` is true when the page is closed: the browser then sends what is begun at once. */
type Send = (isLeaving: boolean) => Promise<unknown>

/** Records whose deletion is not sent yet. */
type Held = { kind: string; ids: readonly string[]; send: (isLeaving: boolean) => Promise<void> }

const waiting = new Set<Held>()
/** Also those that are being sent: lists do not show them. */
const hidden = new Set<Held>()
const listeners = new Set<() => void>()
let shownAs = new Map<string, ReadonlySet<string>>()

const none: ReadonlySet<string> = new Set()

function changed(): void {
  const next = new Map<string, Set<string>>()
  for (const { kind, ids } of hidden) {
    const known = next.get(kind) ?? new Set()
    for (const id of ids) known.add(id)
    next.set(kind, known)
  }
  shownAs = next
  for (const tell of listeners) tell()
}

/** The records of a kind that are shown as deleted, although the server may still have them. */
export const heldIds = (kind: string): ReadonlySet<string> => shownAs.get(kind) ?? none

/** The same for a component. */
export const useHeldIds = (kind: string): ReadonlySet<string> =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => heldIds(kind),
    () => none,
  )

/**
 * Hides records, and deletes them after a while, before the user signs out, or when the page is closed. Returns the
 * function that takes it back. `send` must not fail; `onBegin` is called when it is too late to take it back.
 */
export function hold(kind: string, ids: readonly string[], send: Send, onBegin: () => void): () => void {
  const timer = setTimeout(() => void held.send(false), undoTime)
  const end = () => {
    clearTimeout(timer)
    waiting.delete(held)
  }
  const held: Held = {
    kind,
    ids,
    async send(isLeaving) {
      end()
      onBegin()
      await send(isLeaving)
      hidden.delete(held)
      changed()
    },
  }
  waiting.add(held)
  hidden.add(held)
  changed()
  return () => {
    if (!waiting.has(held)) return
    end()
    hidden.delete(held)
    changed()
  }
}

const sendAll = (isLeaving: boolean): Promise<unknown> =>
  Promise.all([...waiting].map((held) => held.send(isLeaving)))

beforeSignOut(() => sendAll(false))
globalThis.addEventListener?.("pagehide", () => void sendAll(true))
