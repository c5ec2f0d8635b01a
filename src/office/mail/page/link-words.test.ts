import { beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import { namesLink, withLinkAdded, withLinkAsStored, withLinkInWords } from "./link-words"

beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: {} } } }))

const stored = "Hello,\n\nread and accept it here:\n{link}\n\nKind regards"

test.each(["quotations", "users"])("the text of a message of %s shows no name in braces", (kind) => {
  const shown = withLinkInWords(stored, kind)
  expect(shown).not.toMatch(/[{}]/)
  expect(namesLink(shown, kind)).toBeTrue()
  expect(withLinkAsStored(shown, kind)).toBe(stored)
})

test("a link is added to a text without one", () => {
  const without = "Hello,\n\nhere is our offer.\n"
  expect(namesLink(without, "quotations")).toBeFalse()
  expect(withLinkAsStored(withLinkAdded(without, "quotations"), "quotations")).toBe(
    "Hello,\n\nhere is our offer.\n\n{link}\n",
  )
})
