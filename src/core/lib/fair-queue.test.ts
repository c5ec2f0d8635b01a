import { expect, test } from "bun:test"
import { fairQueue } from "./gate"

const fill = (longest: number, shares: string) => {
  const queue = fairQueue(longest)
  const refused: string[] = []
  for (const share of shares) queue.add({ share, go: () => {}, evict: () => refused.push(share) })
  const taken: string[] = []
  for (let next = queue.take(); next; next = queue.take()) taken.push(next.share)
  return { taken: taken.join(""), refused: refused.join("") }
}

test("shares take turns, each in its own order", () => {
  expect(fill(10, "aaaabbc")).toEqual({ taken: "abcabaa", refused: "" })
})

test("when it is full, a share with fewer entries replaces an entry of the largest share", () => {
  expect(fill(4, "aaaab")).toEqual({ taken: "abaa", refused: "a" })
  expect(fill(4, "aaaabcbb")).toEqual({ taken: "abca", refused: "aabb" })
})

test("when it is full of shares with one entry each, a new share is refused", () => {
  expect(fill(3, "abcd")).toEqual({ taken: "abc", refused: "d" })
})
