import { expect } from "bun:test"
import { chromium, type Browser, type Page } from "playwright-core"
import { findBrowser } from "../../scripts/browser"
import { adminEmail, adminPassword, type Kontor } from "./kontor"

/** Where Chromium is; the browser tests are skipped only where it cannot be installed. */
export const browserPath = findBrowser()
if (browserPath === null) console.warn("There is no Chromium on this machine: the browser tests are skipped.")

const axe = await Bun.file(`${import.meta.dir}/../../node_modules/axe-core/axe.min.js`).text()
let browser: Promise<Browser> | undefined
const open = () =>
  (browser ??= chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox", "--lang=en-US"] }))

type Look = {
  width?: number
  height?: number
  colorScheme?: "light" | "dark"
  /** Where the person sits. */
  locale?: string
  timezoneId?: string
}

/**
 * A browser window with nothing in its memory. Whatever the page complains about, or asks of another host, is noted
 * and fails the test that calls `assertQuiet`.
 */
export async function newPage(
  kontor: Kontor,
  { width = 1280, height = 800, colorScheme = "light", locale = "en-US", timezoneId }: Look = {},
) {
  const context = await (
    await open()
  ).newContext({
    viewport: { width, height },
    colorScheme,
    locale,
    timezoneId,
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("console", (message) => {
    // A refusal of the server is no fault of the page: the tests look at what it does with it.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text())
  })
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url())
    if (/^https?:$/.test(protocol) && origin !== new URL(kontor.url).origin)
      complaints.push(`asked ${request.url()}`)
  })
  return Object.assign(page, {
    assertQuiet: () => expect(complaints).toEqual([]),
    closeAll: () => context.close(),
  })
}

export type Window = Awaited<ReturnType<typeof newPage>>

/** Signs in through the page, as the first admin unless told otherwise. */
export async function signInAt(
  page: Page,
  kontor: Kontor,
  { path = "/", email = adminEmail, password = adminPassword } = {},
): Promise<void> {
  await page.goto(`${kontor.url}/console${path}`)
  await page.getByLabel("E-mail").fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("navigation", { name: "Main menu" }).waitFor({ state: "attached" })
}

/** The serious and critical faults that axe-core finds on what is shown now, a line each. */
export async function accessFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const faults = await page.evaluate(async () => {
    // eslint-disable-next-line no-undef -- put there by the line above
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run()
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`))
    type AxeResult = { violations: { id: string; impact: string; nodes: { html: string }[] }[] }
  })
  return faults
}

/** How far the page scrolls sideways: 0 where it fits. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}
