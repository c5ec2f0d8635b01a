import type { Config } from "../config"
import { failure } from "../http/envelope"
import { Unusable } from "../lib/unusable"
import type { Command } from "./command"
import { run } from "./run"
import { readTls, type Tls } from "./tls"

export type Answer = (request: Request) => Response | Promise<Response>

export const serveCommand: Command = {
  name: "serve",
  summary: "Serve the API, the documentation and the console",
  usage: "[options]",
  examples: [
    "kontor serve",
    "kontor serve --db /srv/kontor.db --port 8080 --public-url https://kontor.example",
  ],
  takes: [
    "db",
    "host",
    "port",
    "publicUrl",
    "tlsCert",
    "tlsKey",
    "trustedProxies",
    "allowedHosts",
    "corsOrigins",
    "plans",
    "demo",
    "backupDir",
    "backupEvery",
    "backupKeep",
    "logLevel",
  ],
  run: ({ config }) => serve(config.demo ? { ...config, db: ":memory:" } : config),
}

/**
 * Listens first and opens the file then: a port that is taken leaves the file alone, and whoever waits for the start is
 * connected meanwhile. Requests wait until all is ready.
 */
async function serve(config: Config): Promise<void> {
  const tls = readTls(config)
  const opened = Promise.withResolvers<Answer>()
  let answer: Answer = (request) => opened.promise.then((open) => open(request))
  const server = listen(config, tls, (request) => answer(request))
  await run(config, server, (open) => {
    answer = open
    opened.resolve(open)
  })
}

function listen({ host, port }: Config, tls: Tls | null, fetch: Answer) {
  try {
    // Bun.serve would share a port with another Bun that listens on it, and requests would go to either.
    Bun.listen({ hostname: host, port, exclusive: true, socket: { data() {} } }).stop(true)
    return Bun.serve({
      hostname: host,
      port,
      ...(tls ? { tls } : {}),
      development: false,
      // Ours is far lower and answers in the envelope; Bun's own would answer without one.
      maxRequestBodySize: 2 ** 40,
      fetch,
      error: () =>
        Response.json(failure("INTERNAL_ERROR", "Something went wrong on our side."), { status: 500 }),
    })
  } catch (error) {
    throw new Unusable(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`)
  }
}

export type Listening = ReturnType<typeof listen>

const reasonOf = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    ? "the port is in use"
    : String(error instanceof Error ? error.message : error)
