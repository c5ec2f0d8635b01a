import type { Config } from "../config"
import { holdFile } from "../db/lock"
import { failure } from "../http/envelope"
import { oneAnswer, type FetchHandler } from "../http/one-answer"
import { stderrLog, type Log } from "../lib/log"
import { Unusable } from "../lib/unusable"
import type { Listening } from "./listening"
import { readTls, type Tls } from "./tls"

/**
 * Takes the file if it is there, listens, and only then loads the rest of the program and opens the file: a port that is
 * taken leaves the file alone, and whoever waits for the start is connected meanwhile. Requests wait until all is ready.
 * To listen has its price too: it makes the runtime collect garbage, which is quick as long as little is loaded.
 */
export async function serve(config: Config): Promise<void> {
  const told = stopSignal()
  const tls = readTls(config)
  const opened = Promise.withResolvers<FetchHandler>()
  const log = stderrLog(config.logLevel)
  let answer: FetchHandler = (request) => {
    // However long it takes, as when the file is large and of an older version.
    server.timeout(request, 0)
    return opened.promise.then((open) => open(request))
  }
  holdFile(config.db)
  const server = listen(config, { tls, log, fetch: oneAnswer((request) => answer(request)) })
  const { run } = await import("../server/run")
  await run(config, { server, log, told }, (open) => {
    answer = open
    opened.resolve(open)
  })
}

/** The signal is held until startup has finished: nothing that has begun is cut off. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve())
    process.once("SIGINT", () => resolve())
  })
}

type Deps = { tls: Tls | null; log: Log; fetch: FetchHandler }

function listen({ host, port }: Config, { tls, log, fetch }: Deps): Listening {
  try {
    return Bun.serve({
      hostname: host,
      port,
      ...(tls ? { tls } : {}),
      development: false,
      // Or two of us could listen on one port, and requests would go to either.
      reusePort: false,
      // Ours is far lower and answers in the envelope; Bun's own would answer without one.
      maxRequestBodySize: 2 ** 40,
      fetch,
      error(error) {
        log.error("A request failed before it was understood.", { error: String(error) })
        return Response.json(failure("INTERNAL_ERROR", "Something went wrong on our side."), { status: 500 })
      },
    })
  } catch (error) {
    throw new Unusable(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`)
  }
}

const reasonOf = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    ? "the port is in use"
    : String(error instanceof Error ? error.message : error)
