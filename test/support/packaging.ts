import { until } from "./until"

/** Returns a port that no program uses. */
export function freePort(): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port } = server
  void server.stop(true)
  return String(port)
}

/** Waits until the server can read and write its database. */
export const untilReady = (url: string): Promise<void> =>
  until(() =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
