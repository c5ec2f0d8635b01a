/** What the console reads when it is loaded, and what Bun does not have. */
const parts = {
  localStorage: { getItem: () => null },
  sessionStorage: { getItem: () => null },
  history: { state: null, replaceState: () => {} },
  location: new URL("http://localhost/console/"),
  window: { addEventListener: () => {} },
}

/** Loads modules of the console without a browser. Call `forgetBrowser` in afterAll. */
export async function withoutBrowser(load: () => Promise<unknown>): Promise<void> {
  Object.assign(globalThis, parts)
  await load()
  // With a window, libraries would expect the rest of a browser too.
  Reflect.deleteProperty(globalThis, "window")
}

export function forgetBrowser(): void {
  for (const name of Object.keys(parts)) Reflect.deleteProperty(globalThis, name)
}
