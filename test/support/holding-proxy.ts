// A proxy in front of a PostgreSQL server that keeps a commit back for a while, or the answer to it.
import { connect, createServer, type AddressInfo } from "node:net"
import { letters, messages } from "./counting-proxy"

/** Returns a function that tells whether the data of a client contains COMMIT, which is prepared once and then named. */
function commits(): (data: Buffer) => boolean {
  let [name, isFound] = ["", false]
  const read = messages((letter, body) => {
    const [first = "", second = ""] = body.toString("latin1").split("\0")
    if (letter === letters.parse && second === "COMMIT") name = first
    if (letter === letters.bind && name !== "" && second === name) isFound = true
  })
  return (data) => {
    isFound = false
    read(data)
    return isFound
  }
}

/** Starts a proxy for the PostgreSQL server at a port of this machine. */
export async function holdingProxy(port: number) {
  let holding: { what: "commit" | "answer"; after: string } | null = null
  let reached = () => {}
  let kept: (() => void)[] = []
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1")
    const isCommit = commits()
    let held: "commit" | "answer" | null = null
    let hasWritten = false
    const keep = (pass: () => void): void => void kept.push(pass)
    client.on("data", (data) => {
      hasWritten ||= holding !== null && data.includes(holding.after)
      if (isCommit(data) && hasWritten) {
        held = holding?.what ?? null
        hasWritten = false
        keep(() => void (held = null))
        if (held === "commit") reached()
      }
      if (held === "commit") keep(() => void target.write(data))
      else target.write(data)
    })
    target.on("data", (data) => {
      if (held !== "answer") return void client.write(data)
      keep(() => void client.write(data))
      reached()
    })
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      one.on("close", () => other.destroy())
      one.on("error", () => {})
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Keeps the commit of the write that sends a text back, or the answer to it. Resolves when that has arrived. */
    hold(what: "commit" | "answer", after: string): Promise<void> {
      holding = { what, after }
      return new Promise((resolve) => (reached = resolve))
    },
    /** Passes on what was kept back. */
    release(): void {
      holding = null
      const passing = kept
      kept = []
      for (const pass of passing) pass()
    },
    stop: (): void => void server.close(),
  }
}
