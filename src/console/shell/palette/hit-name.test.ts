import { afterAll, beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import { forgetBrowser, withoutBrowser } from "../../../../test/support/no-browser"
import { folders } from "../../folders"
import de from "../../texts/de"
import { kindTexts } from "../../texts/kinds"

let hitName: typeof import("./hit-name").hitName

beforeAll(() =>
  withoutBrowser(async () => {
    const resources = { de: { translation: { ...de, kinds: kindTexts("de") } } }
    await i18next.init({ lng: "de", resources, interpolation: { escapeValue: false } })
    ;({ hitName } = await import("./hit-name"))
  }),
)
afterAll(forgetBrowser)

test("A draft that is found is called so in the user's language, and nothing else is renamed.", () => {
  const shown = (kind: keyof typeof folders, name: string) => hitName(name, folders[kind])
  for (const kind of ["quotations", "sales-orders", "invoices"] as const) {
    expect([kind, shown(kind, "Draft · Müller GmbH")]).toEqual([kind, "Entwurf · Müller GmbH"])
    expect(shown(kind, "X-2026-00001 · Draft · Sons")).toBe("X-2026-00001 · Draft · Sons")
  }
  for (const kind of ["items", "customers"] as const) expect(shown(kind, "Draft · Sons")).toBe("Draft · Sons")
})
