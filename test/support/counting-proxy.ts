// A proxy in front of a PostgreSQL server that counts what it is asked. It passes everything on.
import { connect, createServer, type AddressInfo } from "node:net"

/** What a connection has sent: its exchanges, each of which waits for an answer, and the texts of its statements. */
type Counted = { exchanges: number; statements: string[] }

/** Requests for encryption, which come before the message that begins a connection. */
const requests = [80_877_103, 80_877_104]

/** The first letters of messages of a client. */
export const letters = { parse: "P", bind: "B", query: "Q", sync: "S" }

/** Reads the messages of a client, which arrive in parts. */
export function messages(note: (letter: string, body: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  let hasBegun = false
  return (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const head = hasBegun ? 1 : 0
      if (rest.length < head + 8 && !(hasBegun && rest.length >= 5)) return
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return
      if (hasBegun) note(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, size))
      else hasBegun = !requests.includes(rest.readInt32BE(4))
      rest = rest.subarray(size)
    }
  }
}

const counting =
  (counted: Counted) =>
  (letter: string, body: Buffer): void => {
    if (letter === letters.sync || letter === letters.query) counted.exchanges++
    if (letter === letters.parse || letter === letters.query) counted.statements.push(body.toString())
  }

/** Starts a proxy for the PostgreSQL server at a port of this machine. */
export async function countingProxy(port: number) {
  const connections: Counted[] = []
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1")
    const counted: Counted = { exchanges: 0, statements: [] }
    connections.push(counted)
    const read = messages(counting(counted))
    client.on("data", (data) => {
      read(data)
      target.write(data)
    })
    target.on("data", (data) => void client.write(data))
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
    /** The exchanges of the connections that have sent a statement with this text. */
    exchangesOf: (text: string): number =>
      connections
        .filter(({ statements }) => statements.some((statement) => statement.includes(text)))
        .reduce((sum, { exchanges }) => sum + exchanges, 0),
    stop: (): void => void server.close(),
  }
}
