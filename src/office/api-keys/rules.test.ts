import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Caller } from "../../core/caller"
import { isRaise, planNames } from "../../shared/plans"
import { roles, scopes, scopesOf } from "../../shared/rights"
import { assertPlanAllowed, countErrors, expiryErrors, scopeErrors } from "./rules"

const plan = fc.constantFrom(...planNames)

describe("The number of active keys", () => {
  test("The 50th key is allowed, and the 51st is refused.", () => {
    expect(countErrors(0)).toEqual([])
    expect(countErrors(49)).toEqual([])
    expect(countErrors(50)).toMatchObject([{ field: "user" }])
    expect(countErrors(51)).toHaveLength(1)
  })
})

describe("The scopes of a key", () => {
  test("All are refused when one of them is not a scope of the owner.", () => {
    fc.assert(
      fc.property(fc.subarray([...scopes]), fc.constantFrom(...roles), (wanted, role) => {
        const isWithin = wanted.every((scope) => scopesOf(role).includes(scope))
        expect(scopeErrors(wanted, role)).toHaveLength(isWithin ? 0 : 1)
      }),
    )
  })

  test("An unknown scope is refused, and the error lists the owner's scopes.", () => {
    for (const entry of ["constructor", "__proto__", "", "READ", null, 0, ["read"]]) {
      const [error] = scopeErrors(["read", entry], "sales")
      expect(error?.field).toBe("scopes")
      expect(error?.message).toContain(scopesOf("sales").join(", "))
    }
  })

  test("A value that is not a list gets no second error.", () => {
    for (const wrong of [undefined, null, "admin", { 0: "admin", length: 1 }])
      expect(scopeErrors(wrong, "viewer")).toEqual([])
  })
})

describe("The plan of a key", () => {
  const caller = (role: Caller["role"], held: Caller["scopes"]) => ({ role, scopes: held }) as Caller

  test("Only an admin whose credential has the scope admin may raise it.", () => {
    const admin = caller("admin", scopes)
    const withoutScope = caller("admin", ["read", "write", "delete"])
    const manager = caller("manager", scopes)
    fc.assert(
      fc.property(plan, plan, (before, after) => {
        expect(() => assertPlanAllowed(admin, before, after)).not.toThrow()
        for (const each of [withoutScope, manager]) {
          const change = () => assertPlanAllowed(each, before, after)
          if (isRaise(before, after)) expect(change).toThrow(expect.objectContaining({ code: "FORBIDDEN" }))
          else expect(change).not.toThrow()
        }
      }),
    )
  })
})

describe("The expiry of a key", () => {
  const now = "2026-03-01T09:30:00.000Z"

  test("It is at least one millisecond in the future.", () => {
    expect(expiryErrors("2026-03-01T09:30:00.001Z", now)).toEqual([])
    expect(expiryErrors(now, now)).toMatchObject([{ field: "expiresAt" }])
    expect(expiryErrors("2026-03-01T09:29:59.999Z", now)).toHaveLength(1)
  })

  test("A key may have no expiry.", () => {
    for (const none of [null, undefined]) expect(expiryErrors(none, now)).toEqual([])
  })
})
