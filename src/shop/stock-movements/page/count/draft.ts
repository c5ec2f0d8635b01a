import { useLocalStorage } from "@mantine/hooks"
import { useSyncExternalStore } from "react"
import { timestampOf } from "../../../../shared/dates"
import type { Item } from "../../../../console/api/types"
import { clock } from "../../../../console/clock"
import type { Typed } from "../../../../console/forms/number"

/** An item as a count needs it. */
export type CountedItem = Pick<Item, "id" | "itemCode" | "itemName" | "uom" | "currentStock">

/** What was counted of an item. `currentStock` is its stock by the books when it was scanned. */
export type CountedLine = CountedItem & { counted: Typed }

/**
 * A stock count that is not saved yet. `sending` is the last request that was sent to save it: a repetition after a
 * power cut has the same key, so that it takes effect only once.
 */
export type Draft = {
  lines: CountedLine[]
  /** The codes that were scanned but not counted, such as unknown ones, and how often. */
  missed: { code: string; times: number }[]
  note: string
  changedAt: string
  sending: { body: string; key: string } | null
}

const empty: Draft = { lines: [], missed: [], note: "", changedAt: "", sending: null }

/** True if each scan counts one piece on this device. Goods are counted and received so. */
export const useAddsOne = () =>
  useLocalStorage({ key: "kontor.scan-adds-one", defaultValue: false, getInitialValueInEffect: false })

/** Each user of a device has their own count. */
const keyOf = (user: string) => `kontor.stock-count.${user}`

/** The draft of the user who counts, as it is stored. It is in memory too, in case the storage is full. */
let known: { user: string; draft: Draft; isKept: boolean } | null = null
const listeners = new Set<() => void>()

function tellAll(): void {
  for (const tell of listeners) tell()
}

// Another tab has counted.
window.addEventListener("storage", ({ key }) => {
  if (known === null || key !== keyOf(known.user)) return
  known = null
  tellAll()
})

function stored(user: string): Draft {
  const text = localStorage.getItem(keyOf(user))
  try {
    return text === null ? empty : { ...empty, ...JSON.parse(text) }
  } catch {
    return empty
  }
}

function read(user: string) {
  if (known?.user !== user) known = { user, draft: stored(user), isKept: true }
  return known
}

/** Stores the draft at once, so that a power cut loses nothing. Another tab may have changed it since it was shown. */
function change(user: string, changed: (draft: Draft) => Draft): void {
  const before = known?.user === user && !known.isKept ? known.draft : stored(user)
  const draft = { ...changed(before), changedAt: timestampOf(clock.business()) }
  known = { user, draft, isKept: keep(user, draft) }
  tellAll()
}

function keep(user: string, draft: Draft): boolean {
  try {
    if (draft.lines.length === 0 && draft.missed.length === 0 && draft.note === "")
      localStorage.removeItem(keyOf(user))
    else localStorage.setItem(keyOf(user), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => {
    listeners.delete(tell)
    // The next page reads what is stored.
    if (listeners.size === 0 && known?.isKept) known = null
  }
}

/** The count of a user that is not saved yet. This device keeps it. */
export function useDraft(user: string) {
  const { draft, isKept } = useSyncExternalStore(subscribe, () => read(user))
  return { draft, isKept, latest: () => read(user).draft, countOf: countsOf(user), ...changesOf(user) }
}

export type CountDraft = ReturnType<typeof useDraft>

/** Returns what is counted of an item at the moment. */
const countsOf =
  (user: string) =>
  (item: string): Typed | undefined =>
    read(user).draft.lines.find(({ id }) => id === item)?.counted

const changesOf = (user: string) => ({
  /** Sets what was counted of an item, and puts it first in the list. `count` gets the count before. */
  count: (item: CountedItem, count: (before: Typed | undefined) => Typed) =>
    change(user, ({ lines, ...draft }) => {
      const before = lines.find(({ id }) => id === item.id)
      const line = { ...item, counted: count(before?.counted) }
      return { ...draft, lines: [line, ...lines.filter((each) => each !== before)] }
    }),
  /** Keeps a code that was not counted, so that the person can look for the item later. */
  miss: (code: string) =>
    change(user, ({ missed, ...draft }) => {
      const times = missed.find((each) => each.code === code)?.times ?? 0
      return {
        ...draft,
        missed: [...missed.filter((each) => each.code !== code), { code, times: times + 1 }],
      }
    }),
  dismissMissed: () => change(user, (draft) => ({ ...draft, missed: [] })),
  /** Corrects a line where it is. */
  correct: (item: string, counted: Typed) =>
    change(user, ({ lines, ...draft }) => ({
      ...draft,
      lines: lines.map((line) => (line.id === item ? { ...line, counted } : line)),
    })),
  /** Updates the stock by the books. */
  refresh: (stock: ReadonlyMap<string, number>) =>
    change(user, ({ lines, ...draft }) => ({
      ...draft,
      lines: lines.map((line) => ({ ...line, currentStock: stock.get(line.id) ?? line.currentStock })),
    })),
  remove: (item: string) =>
    change(user, ({ lines, ...draft }) => ({ ...draft, lines: lines.filter(({ id }) => id !== item) })),
  /** Removes lines that are saved. A line that was changed meanwhile stays. */
  removeSaved: (saved: readonly { item: string; counted: Typed }[]) => {
    const counts = new Map(saved.map(({ item, counted }) => [item, counted]))
    change(user, ({ lines, ...draft }) => ({
      ...draft,
      lines: lines.filter(({ id, counted }) => counts.get(id) !== counted),
    }))
  },
  setNote: (note: string) => change(user, (draft) => ({ ...draft, note })),
  setSending: (sending: Draft["sending"]) => change(user, (draft) => ({ ...draft, sending })),
  discard: () => change(user, () => empty),
  /** Ends a count that is saved. Lines that were scanned meanwhile begin the next one. */
  finish: () => change(user, ({ lines, missed }) => ({ ...empty, lines, missed })),
})
