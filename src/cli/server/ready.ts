import { isIPv6 } from "node:net"
import type { Config } from "../../config"
import { print, say } from "../../core/lib/process/output"
import { Unusable } from "../../core/lib/refusal"
import type { Command } from "../command"

const timeout = 5000

/** For containers and supervisors, which would otherwise need a program such as curl. */
export const readyCommand: Command = {
  name: "ready",
  summary: "Ask the server on this machine whether it can read and write its database",
  usage: "[--host ADDRESS] [--port NUMBER]",
  examples: ["kontor ready", "kontor ready --port 8080"],
  takes: ["host", "port", "tlsCert", "tlsKey"],
  async run({ config }) {
    const url = addressOf(config)
    const { status, body } = await responseOf(`${url}/ready`)
    if (status !== 200) throw new Unusable(`The server at ${url} is not ready: ${reasonOf(body, status)}`)
    print(`The server at ${url} is ready.`)
    for (const { message } of warningsIn(body)) say(`Warning: ${message}`)
  },
}

/** The address of the server with these options, as this machine reaches it. */
function addressOf({ host, port, tlsCert }: Config): string {
  const near = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host
  return `${tlsCert === null ? "http" : "https"}://${isIPv6(near) ? `[${near}]` : near}:${port}`
}

/** The reason that the server gives as a sentence, or the status of its response. */
function reasonOf(body: string, status: number): string {
  try {
    const { error } = JSON.parse(body) as { error: { message: unknown } }
    if (typeof error.message === "string") return error.message
  } catch {
    // Something else responds.
  }
  return `it responds with ${status}.`
}

/** What the server warns of while it works. */
function warningsIn(body: string): { message: string }[] {
  try {
    return (JSON.parse(body) as { warnings?: { message: string }[] }).warnings ?? []
  } catch {
    return []
  }
}

/** Sends a request and returns its response. It is not sent through a proxy, which `fetch` would use. */
async function responseOf(url: string): Promise<{ status: number; body: string }> {
  const { request } = await (url.startsWith("https") ? import("node:https") : import("node:http"))
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Unusable(`No server responds at ${url}: ${reason}.`))
    // The name in the certificate is that of the public URL, and not that of this address.
    const asking = request(url, { timeout, rejectUnauthorized: false }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", (error) => fail(error.message))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
      )
    })
    asking.on("timeout", () => {
      fail("it takes too long")
      asking.destroy()
    })
    asking.on("error", (error) => fail(error.message))
    asking.end()
  })
}
