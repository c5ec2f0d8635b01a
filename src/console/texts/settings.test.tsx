import { MantineProvider, type MantineThemeOverride } from "@mantine/core"
import { useForm } from "@mantine/form"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { afterAll, beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import type { ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { Router } from "wouter"
import { outcomes } from "../../shared/suggestions"
import { defaultFormats } from "../../trade/company/page/numbering"
import { areas, scopesIn } from "../../shared/rights"
import type { Me, Settings } from "../api/types"
import de from "./de"
import { kindTexts } from "./kinds"
import { forgetBrowser, withoutBrowser } from "../../../test/support/no-browser"

/** Puts every text in brackets. What a page shows outside of brackets is not one of the texts. */
const brackets = {
  type: "postProcessor",
  name: "brackets",
  process: (text: string, _: unknown, { defaultValue }: { defaultValue?: string }) =>
    text === defaultValue ? text : `⟦${text}⟧`,
} as const

const now = "2026-11-16T09:00:00.000Z"
const limit = { limit: 100, remaining: 40, resetAt: Date.parse(now) / 1000 }
const me = {
  id: "usr_1",
  name: "⟦Anna⟧",
  email: "⟦anna@example.com⟧",
  role: "admin",
  plan: "pro",
  rights: Object.fromEntries(areas.map((area) => [area, scopesIn("admin", area)])),
  limits: { minute: limit, day: { ...limit, limit: null, remaining: null } },
  company: { today: "2026-11-16" },
} as unknown as Me
const settings = {
  companyName: "⟦Nordlicht⟧",
  companyAddress: "⟦Kai 1⟧",
  companyTaxId: "⟦DE1⟧",
  address: null,
  vatId: null,
  logo: null,
  numberFormats: defaultFormats,
  numberStarts: { customers: 1, salesOrders: 1, invoices: 1 },
  creditPolicy: "warn",
  sessionIdleMinutes: 30,
} as Settings
const connection = { id: "grt_1", clientName: "⟦Shop⟧", scopes: ["read", "admin"], createdAt: now }

let theme: MantineThemeOverride
let hooks: typeof import("../api/hooks")

function render(page: ReactNode): string {
  const client = new QueryClient()
  client.setQueryData(["me"], me)
  client.setQueryData(["read", "/settings"], settings)
  client.setQueryData(["read", "/auth/grants"], [{ ...connection, lastUsedAt: null }])
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider theme={theme} env="test">
        <hooks.SignedIn value={me}>
          <Router ssrPath="/settings">{page}</Router>
        </hooks.SignedIn>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

/** Everything that people read on a page or that a screen reader says. */
function read(html: string): string {
  const attributes = [...html.matchAll(/ (?:aria-label|placeholder|title|alt)="([^"]*)"/g)].map(
    ([, text]) => text,
  )
  const visible = html.replace(/<(style|script|code)[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, " ")
  return [visible, ...attributes].join("\n")
}

/** Leaves out the texts, from the inside to the outside, because a text can contain another one. */
function outside(text: string): string {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, "")
  return rest === text ? rest : outside(rest)
}

const wordsOutside = (text: string) => outside(text).match(/\p{L}{2,}/gu) ?? []

beforeAll(async () => {
  Object.defineProperty(navigator, "languages", { value: ["de-DE"], configurable: true })
  const resources = { de: { translation: { ...de, kinds: kindTexts("de") } } }
  await i18next
    .use(brackets)
    .init({ lng: "de", resources, interpolation: { escapeValue: false }, postProcess: ["brackets"] })
  await withoutBrowser(async () => {
    theme = (await import("../theme")).themeOf()
    hooks = await import("../api/hooks")
    await import("../forms/unsaved")
  })
})
afterAll(() => {
  // Other tests share this process.
  i18next.options.postProcess = false
  forgetBrowser()
  Reflect.deleteProperty(navigator, "languages")
})

const pages: [name: string, load: () => Promise<{ default: () => ReactNode }>, sample: string][] = [
  ["account", () => import("../../office/auth/page/account"), "Auf allen Geräten abmelden"],
  [
    "company",
    () => import("../../trade/company/page/page"),
    "Aufträge über dem Limit werden mit einer Warnung bestätigt.",
  ],
  ["limits", () => import("../../office/auth/page/limits"), "60 von 100 genutzt, noch 40 frei"],
  ["connections", () => import("../../office/oauth/page/connections"), "Diese App kann:"],
]

test.each(pages)("The page %s shows only texts of the language.", async (_, load, sample) => {
  const { default: Page } = await load()
  const { moment } = await import("../format")
  // A time has the words of the locale, which is that of another test if it ran before in this process.
  const text = read(render(<Page />)).replaceAll(moment(now), "")
  expect(text).toContain(sample)
  expect(wordsOutside(text)).toEqual([])
})

test("The table of roles and the fields of a user show only texts of the language.", async () => {
  const { RoleTable } = await import("../../office/users/page/role-table")
  const fields = await import("../../office/users/page/fields")
  const { NewPasswordField } = await import("../../office/users/page/new-password-field")
  const Fields = () => {
    const form = useForm({ initialValues: fields.userValuesOf(null) })
    return (
      <>
        <fields.Identity form={form} isNew />
        <fields.RoleSelect form={form} />
        <fields.PlanSelect form={form} />
        <fields.OwnPassword />
        <fields.Activity form={form} id="usr_1" />
        <NewPasswordField form={form} isNew={false} onSuggested={() => {}} />
        <RoleTable />
      </>
    )
  }
  const text = read(render(<Fields />))
  expect(text).toContain(
    "Kann Rechnungen, Zahlungen und Kunden bearbeiten sowie Artikel und Aufträge ansehen.",
  )
  expect(wordsOutside(text)).toEqual([])
})

test("The columns and lifetimes of API keys are texts of the language.", async () => {
  const { columnsOf } = await import("../../office/api-keys/page/columns")
  const { lifetimes } = await import("../../office/api-keys/page/expiry")
  expect(columnsOf((id) => id).map(({ title }) => wordsOutside(title))).toEqual(Array(10).fill([]))
  expect(String(lifetimes[0]?.label)).toBe("⟦In 30 Tagen⟧")
})

test("The audit log names kinds, actions, fields and outcomes, and shows unknown ones by their API name.", async () => {
  const { actionInWords, kindInWords } = await import("../../office/audit/page/words")
  const { fieldName } = await import("./fields")
  const { StatusBadge } = await import("../parts/status-badge")
  expect(actionInWords("invoices.payment-removed")).toBe("⟦Zahlung gelöscht⟧")
  expect(actionInWords("invoices.frame")).toBe("frame")
  expect(kindInWords("sales-orders")).toBe("⟦Aufträge⟧")
  expect(kindInWords("gadgets")).toBe("gadgets")
  expect(fieldName("paymentTerms")).toBe("⟦Zahlungsbedingungen⟧")
  expect(fieldName("gadget")).toBe("gadget")
  for (const outcome of outcomes)
    expect(wordsOutside(read(render(<StatusBadge status={outcome} />)))).toEqual([])
})
