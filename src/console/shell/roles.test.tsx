import { MantineProvider } from "@mantine/core"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { ComponentType, ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { Router } from "wouter"
import { areas, scopesIn } from "../../shared/rights"
import { folders } from "../folders"
import { allowed, roles, type Role } from "../../../test/support/roles"
import { forgetBrowser, withoutBrowser } from "../../../test/support/no-browser"
import type { Me } from "../api/types"

let hooks: typeof import("../api/hooks")

beforeAll(() =>
  withoutBrowser(async () => {
    hooks = await import("../api/hooks")
    await import("../forms/unsaved")
  }),
)
afterAll(forgetBrowser)

/** The addresses of the links that a user of a role sees in a part of the console. */
function linksFor(role: Role, part: ReactNode): string[] {
  const rights = Object.fromEntries(areas.map((area) => [area, scopesIn(role, area)]))
  const company = { today: "2026-11-16", currency: "EUR", currencyDigits: 2 }
  const me = { id: "usr_1", role, rights, company } as unknown as Me
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <hooks.SignedIn value={me}>
          <Router ssrPath="/">{part}</Router>
        </hooks.SignedIn>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return [...html.matchAll(/ href="([^"]*)"/g)].map(([, address = ""]) => address)
}

/** The pages of no kind, for everybody and for admins. */
const features = [
  "/",
  "/reports",
  // They are in the settings and among the pages for developers.
  "/settings/api-keys",
  "/settings/limits",
  "/docs",
  "/docs#description/the-shop-from-day-to-day",
  "/settings/account",
  "/settings/connections",
]
const ofAdmins = ["/settings/backups", "/settings/mail"]

/** The pages of the kinds that a role may read. */
const listsFor = (role: Role): string[] =>
  Object.values(folders).flatMap(({ path, right: { area, scope } }) =>
    allowed[area]?.[role].includes({ admin: "A", webhooks: "H" }[scope as string] ?? "R") ? [path] : [],
  )

/** Who may create which records. This repeats rights.ts on purpose, so that the test can compare them. */
const creates: Record<Role, string[]> = {
  viewer: [],
  sales: ["customers", "orders"],
  shop: ["customers", "orders", "invoices"],
  accountant: ["customers", "invoices"],
  manager: ["customers", "orders", "invoices"],
  admin: ["customers", "orders", "invoices"],
}

test.each(roles.map((role) => [role]))(
  "The menu of the role %s has the pages that it may see, and no others.",
  async (role) => {
    const { Menu } = await import("./menu")
    const menu = [...features, ...(role === "admin" ? ofAdmins : []), ...listsFor(role)]
    expect(menu).toContain("/orders")
    expect(linksFor(role, <Menu />).toSorted()).toEqual(menu.toSorted())
  },
)

test.each(roles.map((role) => [role]))(
  "The lists offer the role %s to create the records that it may write.",
  async (role) => {
    const lists: Record<string, () => Promise<ComponentType>> = {
      customers: async () => (await import("../../shop/customers/page")).List,
      orders: async () => (await import("../../shop/sales-orders/page/list")).default,
      invoices: async () => (await import("../../shop/invoices/page/list")).default,
    }
    const offered: string[] = []
    for (const [name, load] of Object.entries(lists)) {
      const List = await load()
      if (linksFor(role, <List />).includes(`/${name}/new`)) offered.push(name)
    }
    expect(offered).toEqual(creates[role])
  },
)
