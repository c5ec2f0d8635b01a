import { describe, expect, test } from "bun:test"
import { Counters } from "./counters"

describe("counters", () => {
  test("count on from the last value, and are stored once", () => {
    const counters = new Counters()
    expect(counters.next("a")).toBeNull()
    expect(counters.nextAfter("a", 4)).toBe(5)
    expect(counters.next("a")).toBe(6)
    expect(counters.takeUnstored()).toEqual([["a", 6]])
    expect(counters.takeUnstored()).toEqual([])
    expect(counters.next("a")).toBe(7)
  })

  test("have no gap after a savepoint that is undone, also if it stored them", () => {
    const counters = new Counters()
    counters.nextAfter("a", 4)
    counters.savepoint("one")
    counters.next("a")
    counters.takeUnstored()
    counters.undoTo("one")
    counters.release("one")
    expect(counters.takeUnstored()).toEqual([["a", 5]])
    expect(counters.next("a")).toBe(6)
  })

  test("are read anew by the next write", () => {
    const counters = new Counters()
    counters.nextAfter("a", 4)
    counters.clear()
    expect(counters.next("a")).toBeNull()
    expect(counters.takeUnstored()).toEqual([])
  })
})
