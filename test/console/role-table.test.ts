import { expect, test } from "bun:test"
import { roleRights } from "../../src/console/web/pages/settings/roles"
import { areas, mayRole, roles, scopes } from "../../src/shared/rights"

test("the console tells of each role what the server holds", () => {
  const held = Object.fromEntries(
    roles.map((role) => [
      role,
      Object.fromEntries(
        areas.map((area) => [area, scopes.filter((scope) => mayRole(role, { area, scope }))]),
      ),
    ]),
  )
  expect<object>(roleRights).toEqual(held)
})
