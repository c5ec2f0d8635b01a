// A proxy in front of a PostgreSQL server that stops at a certain statement.
import { connect, createServer, type AddressInfo, type Socket } from "node:net"

/**
 * `cut` closes the connection instead of passing the statement on. `hold` passes nothing on any more, so that the program
 * can be killed at this place. `reached` resolves when the statement was sent.
 */
export async function cuttingProxy(port: number, statement: string, way: "cut" | "hold") {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1")
    sockets.push(client, target)
    let [isStopped, end] = [false, ""]
    client.on("data", (data) => {
      // The text may begin at the end of the last piece.
      const sent = end + data.toString("latin1")
      end = sent.slice(-statement.length)
      if (sent.includes(statement)) {
        isStopped = true
        resolve()
        if (way === "cut") client.destroy()
      }
      if (!isStopped) target.write(data)
    })
    target.on("data", (data) => isStopped || client.write(data))
    target.on("close", () => client.destroy())
    client.on("close", () => target.destroy())
    for (const socket of [client, target]) socket.on("error", () => {})
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, reached, stop }
}
