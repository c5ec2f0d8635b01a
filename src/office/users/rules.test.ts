import { expect, test } from "bun:test"
import fc from "fast-check"
import { roles } from "../../shared/rights"
import type { User } from "./model"
import { assertAdminRemains } from "./service"

const person = fc.record({ role: fc.constantFrom(...roles), isActive: fc.boolean() }) as fc.Arbitrary<User>
const isAdmin = ({ role, isActive }: User) => role === "admin" && isActive
const user = (role: User["role"], isActive: boolean) => ({ role, isActive }) as User

test("A change is refused exactly when it leaves no active admin.", () => {
  fc.assert(
    fc.property(person, person, fc.integer({ min: 0, max: 2 }), (before, after, others) => {
      const change = () => assertAdminRemains(before, after, others)
      const leavesNone = isAdmin(before) && !isAdmin(after) && others === 0
      if (leavesNone) expect(change).toThrow()
      else expect(change).not.toThrow()
    }),
    { numRuns: 500 },
  )
})

test.each([
  [user("manager", true), "role"],
  [user("admin", false), "isActive"],
  [user("viewer", false), "isActive"],
])("The last admin who becomes %p gets an error at %p.", (after, field) => {
  try {
    assertAdminRemains(user("admin", true), after, 0)
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] })
  }
})
