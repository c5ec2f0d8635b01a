import { MantineProvider } from "@mantine/core"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { afterAll, beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import { renderToStaticMarkup } from "react-dom/server"
import { forgetBrowser, withoutBrowser } from "../../../../test/support/no-browser"
import type { Me } from "../../../console/api/types"
import de from "../../../console/texts/de"
import { kindTexts } from "../../../console/texts/kinds"

let hooks: typeof import("../../../console/api/hooks")
let note: typeof import("./link-note")
let words: typeof import("../../../office/mail/page/link-words")

beforeAll(async () => {
  const resources = { de: { translation: { ...de, kinds: kindTexts("de") } } }
  await i18next.init({ lng: "de", resources, interpolation: { escapeValue: false } })
  await withoutBrowser(async () => {
    hooks = await import("../../../console/api/hooks")
    note = await import("./link-note")
    words = await import("../../../office/mail/page/link-words")
  })
})
afterAll(forgetBrowser)

type Given = { publicUrl: string; publicPages?: boolean; text?: string; isAdmin?: boolean }

/** What the dialog that sends a quotation says of the link. */
function shown({ publicUrl, publicPages = true, text = "", isAdmin = true }: Given): string {
  const rights = { administration: isAdmin ? ["admin"] : [] }
  const me = { id: "usr_1", rights, company: { publicPages, publicUrl } } as unknown as Me
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <hooks.SignedIn value={me}>
          <note.LinkNote kind="quotations" text={text} onAdd={async () => {}} />
        </hooks.SignedIn>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

const warning = "Er führt auf diesen Rechner"

test("A link that leads to this computer is warned of where a message has it or is offered it.", () => {
  const text = words.withLinkAdded("Guten Tag", "quotations")
  for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]"]) {
    const publicUrl = `http://${host}:7070`
    expect(shown({ publicUrl, text })).toContain(warning)
    expect(shown({ publicUrl })).toContain(warning)
    const off = shown({ publicUrl, publicPages: false })
    expect(off).toContain("Seiten einschalten und Link einfügen")
    expect(off).toContain(warning)
    expect(shown({ publicUrl, publicPages: false, isAdmin: false })).not.toContain(warning)
  }
})

test("A link to an address that customers can reach is not warned of.", () => {
  const publicUrl = "https://localhost.example"
  const text = words.withLinkAdded("Guten Tag", "quotations")
  expect(shown({ publicUrl: "https://shop.example", text })).not.toContain(warning)
  expect(shown({ publicUrl, text })).not.toContain(warning)
  expect(shown({ publicUrl, publicPages: false })).not.toContain(warning)
})
