import { describe, expect, test } from "bun:test"
import {
  adminRights,
  areas,
  correctionRoles,
  creditLimitRoles,
  creditOverrideRoles,
  mayRole,
  rightsOf,
  roles,
  scopes,
  scopesIn,
  scopesOf,
  type Scope,
} from "./rights"

describe("The table of rights", () => {
  test("A role that deletes in an area also writes there, and a role that writes also reads.", () => {
    for (const role of roles)
      for (const area of areas) {
        if (mayRole(role, { area, scope: "delete" }))
          expect(mayRole(role, { area, scope: "write" })).toBeTrue()
        if (mayRole(role, { area, scope: "write" })) expect(mayRole(role, { area, scope: "read" })).toBeTrue()
      }
  })

  test("An admin may do what any other role may do.", () => {
    for (const role of roles)
      for (const area of areas)
        for (const scope of scopesIn(role, area)) expect(mayRole("admin", { area, scope })).toBeTrue()
  })

  test("A manager may do what sales, a shop and accounting may do together.", () => {
    for (const area of areas)
      for (const role of ["viewer", "sales", "shop", "accountant"] as const)
        for (const scope of scopesIn(role, area)) expect(scopesIn("manager", area)).toContain(scope)
  })

  test("Only an admin administers, and a viewer changes only their own account.", () => {
    for (const role of roles) {
      expect(mayRole(role, adminRights.read)).toBe(role === "admin")
      expect(mayRole(role, adminRights.write)).toBe(role === "admin")
      expect(mayRole(role, adminRights.remove)).toBe(role === "admin")
      for (const area of areas)
        if (area !== "administration") expect(scopesIn(role, area)).not.toContain("admin")
    }
    for (const area of areas)
      if (!["own", "webhooks", "administration"].includes(area))
        expect(scopesIn("viewer", area)).toEqual(["read"])
  })

  test("Every role manages its own account and webhooks and can search; no role writes to search.", () => {
    for (const role of roles) {
      expect(scopesIn(role, "own")).toEqual(["read", "write", "delete"])
      expect(scopesIn(role, "webhooks")).toEqual(["webhooks"])
      expect(scopesIn(role, "search")).toEqual(["read"])
    }
  })

  test("Administration that writes or deletes is only for people who signed in.", () => {
    expect([adminRights.read.personal, adminRights.write.personal, adminRights.remove.personal]).toEqual([
      undefined,
      true,
      true,
    ])
  })
})

describe("The scopes of a role", () => {
  test("They are those that the role can use beyond its own account.", () => {
    const expected: Record<(typeof roles)[number], Scope[]> = {
      viewer: ["read", "webhooks"],
      sales: ["read", "write", "delete", "webhooks"],
      shop: ["read", "write", "webhooks"],
      accountant: ["read", "write", "delete", "webhooks"],
      manager: ["read", "write", "delete", "webhooks"],
      admin: ["read", "write", "delete", "admin", "webhooks"],
    }
    for (const role of roles) expect(scopesOf(role)).toEqual(expected[role])
  })

  test("A kind in an area needs one scope for each of reading, writing and deleting.", () => {
    for (const area of areas) {
      const { read, write, remove } = rightsOf(area)
      expect([read, write, remove].map(({ scope }) => scope)).toEqual(scopes.slice(0, 3))
      expect([read, write, remove].every((right) => right.area === area)).toBeTrue()
    }
  })

  test("An unknown role has no scopes.", () => {
    for (const name of ["__proto__", "constructor", "Admin", ""])
      expect(scopesOf(name as "admin")).toEqual([])
  })
})

test("A role that may override a credit limit may update it, and a role that may update it writes customers.", () => {
  for (const role of creditOverrideRoles) expect(creditLimitRoles).toContain(role)
  for (const role of creditLimitRoles) expect(mayRole(role, rightsOf("customers").write)).toBeTrue()
  for (const role of ["viewer", "sales", "shop"] as const) expect(creditLimitRoles).not.toContain(role)
})

test("A role that may undo an invoice writes invoices, and a shop writes them but may not undo them.", () => {
  for (const role of correctionRoles) expect(mayRole(role, rightsOf("invoices").write)).toBeTrue()
  const writers = roles.filter((role) => mayRole(role, rightsOf("invoices").write))
  expect(writers.filter((role) => !correctionRoles.includes(role))).toEqual(["shop"])
})
