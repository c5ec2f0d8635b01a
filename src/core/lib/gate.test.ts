import { expect, test } from "bun:test"
import { gate } from "./gate"

/** Starts a task for each letter, and returns which run and a function that ends the first of a share. */
function start(shares: string, rules: { atOnce: number; perShare?: number; longest?: number }) {
  const enter = gate({ longest: 10, message: "full", ...rules })
  const running: { share: string; end: () => void }[] = []
  const add = (share: string) =>
    enter(share, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push({ share, end: resolve })
      return promise
    })
  for (const share of shares) void add(share)
  return {
    add,
    running: () => running.map(({ share }) => share).join(""),
    async end(share: string): Promise<void> {
      const [task] = running.splice(
        running.findIndex((each) => each.share === share),
        1,
      )
      task?.end()
      await Bun.sleep(0)
    },
  }
}

test("as many tasks run as may run at once, and the next one takes the place of a finished one", async () => {
  const tasks = start("aabc", { atOnce: 2 })
  expect(tasks.running()).toBe("aa")
  await tasks.end("a")
  expect(tasks.running()).toBe("ab")
})

test("a share that uses its places leaves the others to other shares", async () => {
  const tasks = start("aaab", { atOnce: 3, perShare: 1 })
  expect(tasks.running()).toBe("ab")
  void tasks.add("c")
  void tasks.add("d")
  expect(tasks.running()).toBe("abc")
  await tasks.end("b")
  expect(tasks.running()).toBe("acd")
  await tasks.end("a")
  expect(tasks.running()).toBe("cda")
  for (const share of "cda") await tasks.end(share)
  expect(tasks.running()).toBe("a")
})
