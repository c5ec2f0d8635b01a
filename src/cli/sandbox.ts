import { readNetworks, readPlans } from "../config/values"
import { UsageError } from "../config"
import { serve } from "../server/serve"
import type { Command } from "./command"

/** Tests send as many requests as they like. */
const unlimited = ["free", "pro", "enterprise", "anonymous"]
  .map((plan) => `${plan}=unlimited:unlimited`)
  .join(",")

/** The receivers of webhooks in a test are on the same machine. */
const thisMachine = "127.0.0.0/8,::1/128"

export const sandboxCommand: Command = {
  name: "sandbox",
  summary: "Serve the demo shop for tests, until standard input ends",
  usage: "[options]",
  examples: [
    "kontor sandbox",
    "kontor sandbox --seed 7 --now 2027-03-01T08:00:00Z",
    "kontor sandbox --data shop.ndjson",
  ],
  takes: ["seed", "now", "run", "data", "allowPrivateWebhooks", "corsOrigins", "logLevel"],
  logs: true,
  run({ config, flags, warnings }) {
    if (process.stdin.isTTY)
      throw new UsageError(
        'kontor sandbox serves a test until its standard input ends. To look at the demo shop, use "kontor serve --demo".',
      )
    const { allowPrivateWebhooks, logLevel } = config
    return serve(
      {
        ...config,
        demo: true,
        db: ":memory:",
        port: 0,
        plans: readPlans(unlimited),
        allowPrivateWebhooks: allowPrivateWebhooks ?? readNetworks(thisMachine),
        // A test shows its own output.
        logLevel: flags["log-level"] === undefined ? "error" : logLevel,
      },
      warnings,
      { greeting: accessLine, until: inputEnd() },
    )
  },
}

type Greeting = NonNullable<Parameters<typeof serve>[2]>["greeting"]

/** What a test needs, as one line of JSON. */
const accessLine: Greeting = (url, { access }) => {
  if (!access) throw new Error("A sandbox is a demo.")
  const { key: apiKey, email, password, now, seed } = access
  return JSON.stringify({ url, apiKey, email, password, now, seed })
}

const inputEnd = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve).once("error", resolve).resume()
  })
