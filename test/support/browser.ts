import { afterAll, afterEach, expect } from "bun:test"
import { chromium, type Browser, type Page } from "playwright-core"
import { browserArguments, findBrowser } from "../../scripts/browser"
import { type Api, send, signIn } from "./api"
import { forgetAndGo } from "./forget"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "./kontor"
import { readPdf, type ReadPdf } from "./pdf"
import { trade } from "./trade"
import { until } from "./until"

/** The path of Chromium. The browser tests are skipped only where it cannot be installed. */
export const browserPath = findBrowser()
if (browserPath === null) console.warn("There is no Chromium on this machine: the browser tests are skipped.")

/** The WebSocket endpoint of a Playwright server, if the test runner shares one browser between the test files. */
const sharedBrowser = process.env.KONTOR_TEST_BROWSER

const axe = await Bun.file(`${import.meta.dir}/../../node_modules/axe-core/axe.min.js`).text()
let browser: Promise<Browser> | undefined
const getBrowser = () =>
  (browser ??= sharedBrowser
    ? chromium.connect(sharedBrowser)
    : chromium.launch({ executablePath: browserPath ?? "", args: browserArguments }))

type Look = {
  width?: number
  height?: number
  colorScheme?: "light" | "dark"
  /** False for pages that must work without scripts. */
  hasScripts?: boolean
}
type Place = { locale?: string; timezoneId?: string }
type Visit = Look &
  Place & {
    /** Who is signed in: the first admin by default. */
    email?: string
    /** Opens a separate context and session, for tests that end the session, open more tabs or replace the clock. */
    isFresh?: boolean
  }

/** The two looks of the console: each width and each colour scheme once. */
export const looks = [
  { name: "on a wide screen, light", look: { width: 1280, height: 800, colorScheme: "light" } },
  { name: "on a phone, dark", look: { width: 390, height: 844, colorScheme: "dark" } },
] as const

/** The contexts that are closed after the test that opened them. */
const opened = new Set<Window>()

/**
 * Opens a browser window without cookies and storage, and closes it after the test. Errors in the page and requests to
 * other hosts are recorded, and fail the test that calls `assertQuiet`.
 */
export async function newPage(kontor: Kontor, look: Look & Place = {}) {
  const page = await newWindow(kontor, look)
  opened.add(page)
  return page
}

async function newWindow(
  kontor: Kontor,
  {
    width = 1280,
    height = 800,
    colorScheme = "light",
    hasScripts: javaScriptEnabled = true,
    locale = "en-US",
    timezoneId,
  }: Look & Place,
) {
  const viewport = { width, height }
  const context = await (
    await getBrowser()
  ).newContext({ viewport, colorScheme, locale, timezoneId, javaScriptEnabled, reducedMotion: "reduce" })
  const page = await context.newPage()
  page.setDefaultTimeout(300_000)
  const complaints = recordComplaints(page, kontor)
  return Object.assign(page, {
    complaints,
    pending: countPending(page),
    assertQuiet: () => expect(complaints).toEqual([]),
  })
}

export type Window = Awaited<ReturnType<typeof newWindow>>

function recordComplaints(page: Page, kontor: Kontor): string[] {
  const complaints: string[] = []
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("console", (message) => {
    // An error response of the server is not an error of the page: the tests check how the page handles it.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text())
  })
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url())
    if (/^https?:$/.test(protocol) && origin !== new URL(kontor.url).origin)
      complaints.push(`requested ${request.url()}`)
  })
  return complaints
}

/** The requests of the page that have no response yet. */
function countPending(page: Page): Set<unknown> {
  const pending = new Set<unknown>()
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear()
    // The feed of events stays open.
    if (new URL(request.url()).pathname !== "/api/v1/events") pending.add(request)
  })
  page.on("requestfinished", (request) => pending.delete(request))
  page.on("requestfailed", (request) => pending.delete(request))
  return pending
}

/** Waits until the page has a response to each of its requests and has rendered them. */
export async function settle(page: Window): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet = page.pending.size === 0 ? quiet + 1 : 0)
    await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done, 0))))
}

/**
 * Starts a server and a browser for the tests of one file, and ends them after the last test. `open` reuses one
 * signed-in window for each combination of user, locale and time zone, without the storage, routes and dialogs of the
 * test before.
 */
export async function startConsole(options: Parameters<typeof serve>[0] = {}) {
  const kontor = await serve(options)
  const api = await signIn(kontor)
  const windows = new Map<string, Promise<Window>>()
  afterEach(closePages)
  afterAll(async () => {
    await Promise.all([...windows.values()].map(closeContext))
    await closeBrowser()
    await cleanUp()
  })
  const open = async (path: string, visit: Visit = {}): Promise<Window> => {
    const { email, locale, timezoneId, isFresh } = visit
    const who = `${email} ${locale} ${timezoneId}`
    const known = windows.get(who)
    const window = isFresh ? openSession(kontor, visit) : (known ?? openSession(kontor, visit))
    if (isFresh) opened.add(await window)
    else windows.set(who, window)
    const isClean = known && !isFresh && (await reset(await known, visit))
    if (isClean && (await (await window).evaluate(forgetAndGo, `/console${path}`)))
      await menuOf(await window).waitFor({ state: "attached" })
    else await show(await window, kontor, path)
    return window
  }
  return { kontor, api, shop: trade(api), open }
}

/** Loads a page of the console in a window that is signed in. */
export async function show(page: Page, kontor: Kontor, path: string): Promise<void> {
  await page.goto(`${kontor.url}/console${path}`)
  await menuOf(page).waitFor({ state: "attached" })
}

const menuOf = (page: Page) => page.getByRole("navigation", { name: /^(Main menu|Hauptmenü)$/ })

/** Goes to another page as a click on a link does, without loading the console again. */
export async function follow(page: Window, path: string, heading: string): Promise<void> {
  await page.evaluate((address) => history.pushState(null, "", address), `/console${path}`)
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor()
  await page.getByLabel("Loading").first().waitFor({ state: "detached" })
  await settle(page)
}

/** Chooses an action in the menu of a record's page. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click()
  await page.getByRole("menuitem", { name }).click()
}

/** Loads the page again, which sends a delete that waits, until the record is gone. */
export async function reloadUntilGone(page: Window, api: Api, path: string): Promise<void> {
  await page.reload()
  await until(async () => (await api.get(path)).status === 404)
}

/** Prints by a click: returns the PDF that the console shows in a new tab, and closes the tab. */
export async function printBy(page: Window, click: () => Promise<void>): Promise<ReadPdf> {
  const [answer, shown] = await Promise.all([
    page.waitForResponse(/\/pdf$/),
    // A browser without a viewer downloads the file instead.
    page.context().waitForEvent("request", (request) => request.url().startsWith("blob:")),
    click(),
  ])
  const tab = shown.frame().page()
  expect(tab).not.toBe(page)
  const pdf = await readPdf(new Uint8Array(await answer.body()))
  await tab.close()
  return pdf
}

/** Waits until the page moves no more: until a dialog that is closing has disappeared. */
export const animationsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frames = async (count: number) => {
      for (let i = 0; i < count; i++) await new Promise((done) => requestAnimationFrame(done))
    }
    // Mantine starts a transition some frames after the event, and removes the dialog after it.
    await frames(5)
    // One that never ends shows that something is loading.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
    await frames(5)
  })

/** The key under which the console remembers that somebody is signed in. */
const signedInKey = "kontor.signed-in"
/** The keys of the choices that it reads only when it is loaded. */
const loadedKeys = ["kontor.language", "mantine-color-scheme-value"]

/** Opens a window that is signed in, without typing the password into the page. */
async function openSession(kontor: Kontor, { email = adminEmail, ...look }: Visit): Promise<Window> {
  const [page, answer] = await Promise.all([
    newWindow(kontor, look),
    send(`${kontor.url}/console/session`, {
      headers: { origin: kontor.url },
      body: { email, password: adminPassword },
    }),
  ])
  expect(answer).toMatchObject({ status: 200 })
  const [name = "", value = ""] = answer.headers.get("set-cookie")?.split(";")[0]?.split("=") ?? []
  const { hostname } = new URL(kontor.url)
  await page
    .context()
    .addCookies([
      { name, value, domain: hostname, path: "/console/session", httpOnly: true, sameSite: "Strict" },
    ])
  // A page of the same origin that runs no script.
  await page.goto(`${kontor.url}/health`)
  await page.evaluate(([key, id]) => localStorage.setItem(key, id), [
    signedInKey,
    answer.body.data.user.id,
  ] as const)
  return page
}

/**
 * Removes from a window all that the test before has left in it, except the session. Returns whether the test has
 * stored no choice that the console reads only when it is loaded.
 */
async function reset(page: Window, { width = 1280, height = 800, colorScheme = "light" }: Look) {
  await page.unrouteAll({ behavior: "ignoreErrors" })
  const [hasStored] = await Promise.all([
    page.evaluate(
      ([signedIn, ...loaded]) => {
        const hasStored = loaded.some((key) => localStorage.getItem(key) !== null)
        sessionStorage.clear()
        for (const key of Object.keys(localStorage)) if (key !== signedIn) localStorage.removeItem(key)
        return hasStored
      },
      [signedInKey, ...loadedKeys],
    ),
    page.setViewportSize({ width, height }),
    page.emulateMedia({ colorScheme, reducedMotion: "reduce" }),
    page.mouse.move(0, 0),
  ])
  page.complaints.length = 0
  return !hasStored
}

/** Signs in through the page, as the first admin by default. */
export async function signInAt(
  page: Page,
  kontor: Kontor,
  { path = "/", email = adminEmail, password = adminPassword } = {},
): Promise<void> {
  await page.goto(`${kontor.url}/console${path}`)
  await page.getByLabel("Email").fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await menuOf(page).waitFor({ state: "attached" })
}

/**
 * Collects the accessibility violations of a page on a wide screen, and its overflow there and on a phone, by the name of
 * what it shows. `within` is the part to inspect, such as a dialog over a page that another test inspects. With
 * `staysChanged`, the window keeps the width that was inspected last, and what comes next is inspected in reverse order:
 * this saves half of the changes, each of which draws the page again.
 */
export function inspector(page: Window, { staysChanged = false } = {}) {
  const faults: Record<string, string[]> = {}
  let isPhone = false
  const change = async () => {
    isPhone = !isPhone
    const { width, height } = looks[isPhone ? 1 : 0].look
    await page.setViewportSize({ width, height })
    await animationsEnd(page)
  }
  const findFaults = async (within: string) => {
    const much = await overflow(page)
    return [
      ...(isPhone ? [] : await accessFaults(page, within)),
      ...(much > 0 ? [`is ${much} px too wide on a ${isPhone ? "phone" : "wide screen"}`] : []),
    ]
  }
  return {
    faults,
    async inspect(name: string, within = "html") {
      const found = await findFaults(within)
      await change()
      found.push(...(await findFaults(within)))
      if (!staysChanged) await change()
      if (found.length > 0) faults[name] = found
    },
  }
}

type Axe = {
  run(context: string, options: object): Promise<{ violations: Violation[] }>
  _audit: { rules: { id: string; impact: string }[] }
}
type Violation = { id: string; impact: string; nodes: { html: string }[] }

/** Rules that are only moderate, and cost next to nothing. */
const alsoChecked = ["landmark-unique", "landmark-banner-is-top-level"]

/** The serious and critical accessibility violations that axe-core finds on the page, one line each. */
export async function accessFaults(page: Page, within = "html"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe)
  const check = async ({ context, also }: { context: string; also: string[] }) => {
    const { run, _audit } = (globalThis as unknown as { axe: Axe }).axe
    const isSerious = ({ id, impact }: { id: string; impact: string }) =>
      impact === "serious" || impact === "critical" || also.includes(id)
    // The other rules are never more than moderate, and take a fifth of the time.
    const others = _audit.rules.filter((rule) => !isSerious(rule))
    const { violations } = await run(context, {
      resultTypes: ["violations"],
      rules: Object.fromEntries(others.map(({ id }) => [id, { enabled: false }])),
    })
    return violations
      .filter(isSerious)
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }
  return page.evaluate(check, { context: within, also: alsoChecked })
}

/** How far the page scrolls sideways: 0 where it fits. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const closeContext = async (page: Window | Promise<Window>) => (await page).context().close()

/** Closes the windows that the test has opened for itself. */
export async function closePages(): Promise<void> {
  const pages = [...opened]
  opened.clear()
  await Promise.all(pages.map(closeContext))
}

/** Closes the browser, or only the connection to it where it is shared. */
export async function closeBrowser(): Promise<void> {
  await closePages()
  await (await browser)?.close()
  browser = undefined
}
