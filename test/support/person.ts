import { expect } from "bun:test"
import { accessFaults, animationsEnd, looks, newPage, overflow } from "./browser"
import { adminEmail, adminPassword, type Kontor } from "./kontor"
import { textsIn, type Language } from "./texts"

/** Who works: the language, and the screen. */
export type Run = {
  language: Language
  locale: string
  /** An amount as people write it: 1234.50 → €1,234.50 or 1.234,50 €, with a no-break space before the sign. */
  euros: (amount: string) => string
  /** A number as people type it. */
  typed: (amount: string) => string
  isPhone: boolean
  look: (typeof looks)[number]["look"]
}

const languages: Pick<Run, "language" | "locale" | "euros" | "typed">[] = [
  {
    language: "en",
    locale: "en-US",
    euros: (amount) => `€${amount.replace(/\B(?=(\d{3})+\.)/g, ",")}`,
    typed: (amount) => amount,
  },
  {
    language: "de",
    locale: "de-DE",
    euros: (amount) => `${amount.replace(".", ",").replace(/\B(?=(\d{3})+,)/g, ".")}\u00a0€`,
    typed: (amount) => amount.replace(".", ","),
  },
]
const screens = looks.map(({ name, look }) => ({ name, look, isPhone: look.width < 500 }))
/** German on a phone, because most other tests are in English on a wide screen; all combinations in the long form. */
export const runsOf = ({ isLong }: { isLong: boolean }) =>
  languages
    .flatMap((language) => screens.map((screen) => ({ ...language, ...screen })))
    .filter(({ language, isPhone }) => isLong || (isPhone && language === "de"))

export type Person = Awaited<ReturnType<typeof enter>>

/** A person who clicks on what the page shows and types where the focus is. */
export async function enter(kontor: Kontor, run: Run) {
  const page = await newPage(kontor, { ...run.look, locale: run.locale, timezoneId: "Europe/Berlin" })
  const t = await textsIn(run.language)
  const focused = page.locator(":focus")
  const main = page.getByRole("main")
  const dialog = page.getByRole("dialog")
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
  const field = (name: string) => page.getByRole("textbox", { name, exact: true })
  const fits = async () => expect(await overflow(page)).toBe(0)
  return {
    ...run,
    kontor,
    page,
    t,
    main,
    dialog,
    focused,
    heading,
    field,
    click: (name: string) => main.getByRole("button", { name, exact: true }).click(),
    isFocused: (name: string) => field(name).and(focused).waitFor(),
    see: (text: string, within = page.locator("body")) =>
      within.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor(),
    type: (text: string) => page.keyboard.type(text),
    /** Types as a scanner does: 2 ms between the keys, and Enter at the end. */
    async scan(code: string) {
      await page.keyboard.type(code, { delay: 2 })
      await page.keyboard.press("Enter")
    },
    async press(...keys: string[]) {
      for (const key of keys) await page.keyboard.press(key)
    },
    /** Opens a page from the menu, which a phone shows after a tap. */
    async goTo(title: string) {
      if (run.isPhone) await page.getByRole("button", { name: t(($) => $.shell.toggleMenu) }).click()
      await page.getByRole("navigation").getByRole("link", { name: title, exact: true }).click()
      await heading(title)
    },
    fits,
    /** Everybody can use what is on the screen, and it fits. Each look is inspected in one language. */
    async inspect(within?: string) {
      await animationsEnd(page)
      if (run.isPhone === (run.language === "de")) expect(await accessFaults(page, within)).toEqual([])
      await fits()
    },
  }
}

/** An input of a line, which a phone shows as a card. */
export const inputOf = ({ page, t, isPhone }: Person, line: number, part: "item" | "quantity") =>
  isPhone
    ? page.getByRole("region", { name: t(($) => $.documents.line, { line }) }).getByLabel(
        t(($) => $.documents.part[part]),
        { exact: true },
      )
    : page.getByLabel(t(($) => $.documents.partOfLine[part], { line }))

/** Types into the picker that has the focus, with 100 ms between the keys as people do, and takes the first option. */
export async function pick({ page, press }: Person, text: string, option: string | RegExp) {
  await page.keyboard.type(text, { delay: 100 })
  await page.getByRole("option", { name: option }).and(page.locator("[data-combobox-selected]")).waitFor()
  await press("Enter")
}

/** The line below the list on a phone that has the sum of an amount. */
export const sumOf = ({ main, t }: Person, title: string) =>
  main.getByText(t(($) => $.lists.sum, { title })).locator("..")

/** Signs in with the keyboard, as the first admin by default. */
export async function signInBy(
  { kontor, page, t, type, press, heading }: Person,
  { email = adminEmail, password = adminPassword } = {},
): Promise<void> {
  await page.goto(kontor.url)
  await page.getByLabel(t(($) => $.common.email)).click()
  await type(email)
  await press("Tab")
  await type(password)
  await press("Enter")
  await heading(t(($) => $.menu.dashboard))
}

/** Chooses an action in the menu of a record's page. */
export async function chooseMore({ page, t }: Person, action: string): Promise<void> {
  await page.getByRole("button", { name: t(($) => $.parts.moreActions) }).click()
  await page.getByRole("menuitem", { name: action }).click()
}

/** Waits until the picker or input that a person is in has a value. */
export const holds = ({ page }: Person, value: string) =>
  page.waitForFunction(
    (expected) => [...document.querySelectorAll("input")].some((input) => input.value === expected),
    value,
  )

/** What a person of the language calls a country. */
export const countryIn = ({ language }: Person, code: string): string =>
  new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code
