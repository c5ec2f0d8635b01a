import { createServer, type AddressInfo } from "node:net"

const [sslRequest, gssRequest] = [80_877_103, 80_877_104]

/** A server that refuses TLS as PostgreSQL without it does, and asks for the password in plain text. */
export async function refusingPostgres() {
  const received: Buffer[] = []
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      received.push(bytes)
      const code = bytes.length >= 8 ? bytes.readInt32BE(4) : 0
      if (code === sslRequest || code === gssRequest) return void socket.write("N")
      const isPassword = bytes.toString("latin1", 0, 1) === "p"
      if (isPassword) socket.end()
      else socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** All that clients have sent. */
    received: () => Buffer.concat(received).toString("latin1"),
    stop: () => server.close(),
  }
}
