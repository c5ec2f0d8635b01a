// Finds Chromium for the browser tests. As a program, it installs Debian's package if Chromium is missing.
import { existsSync } from "node:fs"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** How the tests start Chromium. It has no separate GPU process, because headless tests render in software anyway. */
export const browserArguments = ["--no-sandbox", "--lang=en-US", "--disable-gpu", "--in-process-gpu"]

export const findBrowser = (): string | null => places.find((path) => existsSync(path)) ?? null

if (import.meta.main && findBrowser() === null) {
  console.error("Installing Chromium for the browser tests (only the first time)…")
  const apt = (...args: string[]) =>
    Bun.which("apt-get") !== null &&
    Bun.spawnSync([...(process.getuid?.() === 0 ? [] : ["sudo", "-n"]), "apt-get", "-qq", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "inherit"],
    }).success
  const isInstalled =
    apt("update") && apt("install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core")
  if (!isInstalled || findBrowser() === null)
    console.error("Chromium cannot be installed here: the browser tests are skipped.")
}
