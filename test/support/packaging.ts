/** Returns a port that no program uses. */
export function freePort(): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port } = server
  void server.stop(true)
  return String(port)
}

/** Waits until the server can read and write its database. */
export async function untilReady(url: string): Promise<void> {
  for (let left = 150; left > 0; left--) {
    if (
      await fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await Bun.sleep(100)
  }
  throw new Error(`No server has become ready at ${url}.`)
}
