import { connect } from "node:net"

/** Sends raw bytes and returns everything that is received until the server closes the connection or is silent. */
export function sendRaw(url: string, bytes: string | Uint8Array, quietAfter = 300): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ""
    let timer: ReturnType<typeof setTimeout> | undefined
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const end = () => {
      socket.destroy()
      resolve(received)
    }
    socket.on("data", (chunk) => {
      received += chunk.toString()
      clearTimeout(timer)
      timer = setTimeout(end, quietAfter)
    })
    socket.on("close", end)
    socket.on("error", reject)
  })
}
