import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIPv6 } from "node:net"
import type { Config } from "../config"
import { print } from "../lib/output"
import { Unusable } from "../lib/unusable"
import type { Command } from "./command"

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
    const status = await statusOf(`${url}/ready`)
    if (status !== 200) throw new Unusable(`The server at ${url} is not ready: it responds with ${status}.`)
    print(`The server at ${url} is ready.`)
  },
}

/** The address of the server with these options, as this machine reaches it. */
function addressOf({ host, port, tlsCert }: Config): string {
  const near = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host
  return `${tlsCert === null ? "http" : "https"}://${isIPv6(near) ? `[${near}]` : near}:${port}`
}

/** Sends a request and returns its status. It is not sent through a proxy, which `fetch` would use. */
function statusOf(url: string): Promise<number> {
  const request = url.startsWith("https") ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Unusable(`No server responds at ${url}: ${reason}.`))
    // The name in the certificate is that of the public URL, and not that of this address.
    const asking = request(url, { timeout, rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asking.on("timeout", () => {
      fail("it takes too long")
      asking.destroy()
    })
    asking.on("error", (error) => fail(error.message))
    asking.end()
  })
}
