import { expect, test } from "bun:test"
import fc from "fast-check"
import { isRaise, planNames, smallerPlan, standardPlans } from "./plans"

const plan = fc.constantFrom(...planNames)

test("Of two plans one is larger, unless they are the same.", () => {
  fc.assert(
    fc.property(plan, plan, (a, b) => {
      expect([isRaise(a, b), a === b, isRaise(b, a)].filter(Boolean)).toHaveLength(1)
    }),
  )
})

test("The smaller of two plans is never a raise, in either order.", () => {
  fc.assert(
    fc.property(plan, plan, (a, b) => {
      const smaller = smallerPlan(a, b)
      expect([a, b]).toContain(smaller)
      expect([isRaise(a, smaller), isRaise(b, smaller)]).toEqual([false, false])
      expect(smallerPlan(b, a)).toBe(smaller)
    }),
  )
})

test("A larger plan allows at least as many requests per minute and per day.", () => {
  const size = (limit: number | null) => limit ?? Infinity
  fc.assert(
    fc.property(plan, plan, (from, to) => {
      fc.pre(isRaise(from, to))
      const [less, more] = [standardPlans[from], standardPlans[to]]
      expect(size(more.perMinute)).toBeGreaterThan(size(less.perMinute))
      expect(size(more.perDay)).toBeGreaterThan(size(less.perDay))
    }),
  )
})

test("A caller without a credential has no more requests per minute than the smallest plan.", () => {
  expect(standardPlans.anonymous.perMinute).toBeLessThanOrEqual(standardPlans.free.perMinute ?? 0)
})
