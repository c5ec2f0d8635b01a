import { describe, expect, test } from "bun:test"
import type { Event } from "../../events/model"
import { isSent, merged, progressAt, type Progress } from "../progress"
import { openShare, type Share } from "./share"

const kinds = ["items", "invoices", "customers"]

/** A feed of events: of which kind, and of which record. */
const feedOf = (...of: [kind: string, record?: string][]): Event[] =>
  of.map(([kind, record], i) => {
    const seq = i + 1
    const recordId = record ?? `${kind}${seq}`
    return { id: `evt_${seq}`, seq, type: `${kind}.updated`, kind, recordId, version: 1, at: "", changed: [] }
  })

/** Reads all that the share wants. */
function fill(share: Share, feed: readonly Event[]): void {
  for (let [part] = share.wanted(feed.length); part; [part] = share.wanted(feed.length)) {
    const { after, kinds: read, limit } = part
    const rest = feed.filter(({ seq, kind }) => seq > after && read.includes(kind))
    const events = rest.slice(0, limit)
    share.add(part, { events, last: rest.length > limit ? (events.at(-1)?.seq ?? 0) : feed.length })
  }
}

/** Takes events until none can be taken, or so many. */
function takeAll(share: Share, most: number): number[] {
  const taken: Event[] = []
  while (taken.length < most) {
    const event = share.take()
    if (!event) break
    taken.push(event)
  }
  return taken.map(({ seq }) => seq)
}

const many = (count: number): [string][] => Array.from({ length: count }, () => ["items"])

describe("With several requests at a time,", () => {
  const open = (progress: Progress = progressAt(0)) => openShare({ kinds, parallel: 4, progress })

  test("an event of a kind is next, however many of another kind were before it", () => {
    const feed = feedOf(...many(20_000), ["invoices"])
    const share = open()
    fill(share, feed)
    expect(takeAll(share, 3)).toEqual([1, 20_001, 2])
  })

  test("kinds with many events take turns", () => {
    const feed = feedOf(...Array.from({ length: 50 }, (): [string][] => [["items"], ["customers"]]).flat())
    const share = open()
    fill(share, feed)
    const sent: Event[] = []
    for (let i = 0; i < 40; i++) {
      const event = share.take()
      if (event) share.end(event)
      if (event) sent.push(event)
    }
    expect(sent.filter(({ kind }) => kind === "items")).toHaveLength(20)
  })

  test("an event waits for the one of the same record before it, and others do not", () => {
    const feed = feedOf(["items", "a"], ["items", "a"], ["items", "b"], ["items", "a"], ["items", "b"])
    const share = open()
    fill(share, feed)
    const [first, other] = [share.take(), share.take()]
    expect([first?.seq, other?.seq, share.take()]).toEqual([1, 3, null])
    if (other) share.end(other)
    expect([share.take()?.seq, share.take()]).toEqual([5, null])
    if (first) share.end(first)
    expect([share.take()?.seq, share.take()]).toEqual([2, null])
  })

  test("what was sent is known one by one after an event that was not, and not sent again", () => {
    const feed = feedOf(["items", "a"], ["items", "b"], ["invoices"], ["items", "c"])
    const share = open()
    fill(share, feed)
    const taken = feed.map(() => share.take())
    for (const event of taken) if (event && event.seq !== 1) share.end(event)
    const progress = share.progress()
    expect(feed.map((event) => isSent(progress, event))).toEqual([false, true, true, true])
    expect(progress.position).toBe(0)
    const again = open(progress)
    fill(again, feed)
    expect(takeAll(again, 9)).toEqual([1])
  })

  test("a record that is not answered lets its kind get only so far ahead", () => {
    const feed = feedOf(...many(2_000))
    const share = open()
    fill(share, feed)
    const held = share.take()
    let sent = 0
    for (let event = share.take(); event; event = share.take()) {
      share.end(event)
      fill(share, feed)
      sent++
    }
    expect([held?.seq, sent < 400, share.progress().ahead.items?.sent.length]).toEqual([1, true, sent])
  })
})

describe("With one request at a time,", () => {
  const open = (progress: Progress) => openShare({ kinds, parallel: 1, progress })

  test("events of all kinds are sent in the order of the feed", () => {
    const feed = feedOf(["items"], ["invoices"], ["items"], ["customers"])
    const share = open(progressAt(1))
    fill(share, feed)
    expect(takeAll(share, 9)).toEqual([2, 3, 4])
  })

  test("what was sent while there were several is not sent again", () => {
    const feed = feedOf(["items"], ["invoices"], ["items"], ["items"], ["invoices"])
    const share = open({
      position: 0,
      ahead: { invoices: { position: 4, sent: [] }, items: { position: 0, sent: [3] } },
    })
    fill(share, feed)
    expect(takeAll(share, 9)).toEqual([1, 4, 5])
  })
})

test("two progresses together have what one of them has, and nothing else", () => {
  const a: Progress = { position: 5, ahead: { items: { position: 9, sent: [12] } } }
  const b: Progress = {
    position: 7,
    ahead: { items: { position: 8, sent: [9, 11, 14] }, invoices: { position: 7, sent: [] } },
  }
  const expected = { position: 7, ahead: { items: { position: 9, sent: [11, 12, 14] } } }
  expect(merged(a, b)).toEqual(expected)
  expect(merged(b, a)).toEqual(expected)
  expect(merged(a, progressAt(20))).toEqual(progressAt(20))
})
