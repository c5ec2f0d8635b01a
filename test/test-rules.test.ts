import { expect, test } from "bun:test"
import { faultsIn } from "../scripts/test-rules"

test.each([
  ["const began = performance.now()\nread()\nexpect(performance.now() - began).toBeLessThan(500)", 3],
  ["const took = performance.now() - began\nexpect(took).toBeGreaterThan(2_000)", 2],
  ["const age = Date.now() - Date.parse(shown)\nexpect(Math.abs(age)).toBeLessThanOrEqual(1_000)", 2],
  ["expect(outcome.slowest).toBeLessThan(\n  250,\n)", 1],
  ["if (status === 200 && took < limit) return null", 1],
  ["const deadline = Date.now() + 10_000\nwhile (Date.now() < deadline) await look()", 2],
  ["for (let i = 0; i < 100 && !isDone(); i++) await Bun.sleep(50)", 1],
  ["for (let left = 150; left > 0; left--) {\n  if (isDone()) return\n  await Bun.sleep(100)\n}", 1],
  ['await message.waitFor({ state: "detached", timeout: 2_000 })', 1],
  ["page.setDefaultTimeout(30_000)", 1],
  ["test(title, async () => {\n  await work()\n}, 10_000)", 3],
  ["const patience = 5_000", 1],
])("a test that depends on the speed of the machine is refused: %p", (source, line) => {
  expect(faultsIn(source)).toEqual([expect.stringMatching(new RegExp(`^${line}: `))])
})

test.each([
  "expect(Date.parse(used.lastUsedAt)).toBeWithin(before, Date.now() + 1)",
  "const day = new Date(Date.now() - days * 86_400_000)\nexpect(days).toBeGreaterThan(5)",
  "for (const took of [1, 30]) expect(sizesOf(rows, () => took).length).toBeLessThan(10)",
  "expect(growth(read, 2_048, 16_384)).toBeLessThan(32)",
  "const waited = performance.now() - began\nif (waited > patience) throw new Error()",
  "await until(() => isDone())",
  "test(title, async () => {\n  await work()\n}, 600_000)",
])("other tests are not refused: %p", (source) => {
  expect(faultsIn(source)).toEqual([])
})
