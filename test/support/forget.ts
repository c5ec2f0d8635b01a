import type { QueryClient } from "@tanstack/react-query"

type Fiber = { child: Fiber | null; sibling: Fiber | null; memoizedProps: { client?: QueryClient } | null }

/**
 * Runs in a window that shows the console, and goes to another page with half the CPU time of a load. The console
 * forgets who is signed in and what it has read from the server, so it removes the page, and reads everything again.
 * Returns false if the window must be loaded instead, because it shows no page, or a dialog, which may outlive its page.
 */
export async function forgetAndGo(address: string): Promise<boolean> {
  const clientIn = (fiber: Fiber | null | undefined): QueryClient | undefined =>
    fiber ? (fiber.memoizedProps?.client ?? clientIn(fiber.child) ?? clientIn(fiber.sibling)) : undefined
  const root = document.getElementById("root") as (HTMLElement & Record<string, Fiber>) | null
  const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"))
  const client = clientIn(root?.[key ?? ""])
  const isShown = (selector: string) => document.querySelector(selector) !== null
  const disappears = async (selector: string) => {
    for (let i = 0; i < 100 && isShown(selector); i++) await new Promise((done) => setTimeout(done, 5))
    return !isShown(selector)
  }
  if (!client || !isShown("nav") || isShown("[role=dialog]")) return false
  // Messages outlive their page. Close them before, because they are about the test before.
  for (const button of document.querySelectorAll<HTMLElement>(".mantine-Notification-closeButton"))
    button.click()
  if (!(await disappears(".mantine-Notification-root"))) return false
  void client.resetQueries({ queryKey: ["me"] })
  if (!(await disappears("nav"))) return false
  client.removeQueries({ type: "inactive" })
  history.pushState(null, "", address)
  return true
}
