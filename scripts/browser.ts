// Finds Chromium for the browser tests. As a program, it installs Debian's package if Chromium is missing.
import { existsSync } from "node:fs"
import { apt } from "./apt"

/** The headless shell comes first: it has no user interface and needs a fifth less CPU time than Chromium. */
const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
]

/**
 * How the tests start Chromium. It has no separate GPU process, because headless tests render in software anyway, and
 * not V8's slowest compiler, because no page is open long enough to benefit from it.
 */
export const browserArguments = [
  "--no-sandbox",
  "--lang=en-US",
  "--disable-gpu",
  "--in-process-gpu",
  "--js-flags=--no-opt",
]

export const findBrowser = (): string | null => places.find((path) => existsSync(path)) ?? null

if (import.meta.main && findBrowser() === null) {
  console.error("Installing Chromium for the browser tests (only the first time)…")
  const install = (name: string) =>
    apt("install", "--yes", "--no-install-recommends", name, "fonts-dejavu-core")
  const isInstalled = apt("update") && (install("chromium-headless-shell") || install("chromium"))
  if (!isInstalled || findBrowser() === null)
    console.error("Chromium cannot be installed here: the browser tests are skipped.")
}
