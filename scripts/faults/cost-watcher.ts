// The second caller, on a thread of its own: asks GET /health all the time over one connection and notes how long it waits.
import { connect, type Socket } from "node:net"
import { millis, type Question, type WatcherMessage } from "./cost-watch"

declare const self: Worker

type Wait = { from: number; to: number }
const pause = 1

let waits: Wait[] = []
let questions: (Question & { askedAt: number })[] = []
let going = true

self.onmessage = ({ data }: MessageEvent<WatcherMessage>) => {
  if ("url" in data) void watch(data.url)
  else if ("since" in data) questions.push({ ...data, askedAt: millis() })
  else going = false
}

async function watch(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const request = `GET /health HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`
  let socket: Socket | null = null
  while (going) {
    socket ??= await open(hostname, Number(port))
    const from = millis()
    const isAnswered = socket !== null && (await ask(socket, request))
    if (isAnswered) note({ from, to: millis() })
    else {
      socket?.destroy()
      socket = null
    }
    await Bun.sleep(pause)
  }
  socket?.destroy()
}

function note(wait: Wait): void {
  waits.push(wait)
  // What a request leaves behind for the next turn of the server counts as well: one more answer must have come.
  const settled = questions.filter(({ askedAt }) => askedAt <= wait.from)
  questions = questions.filter(({ askedAt }) => askedAt > wait.from)
  for (const { id, since } of settled) {
    // Questions come in the order of time: nobody asks for what was before again.
    waits = waits.filter(({ to }) => to >= since)
    self.postMessage({ id, longest: Math.max(...waits.map(({ from, to }) => to - from)) })
  }
}

function open(hostname: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname, () => resolve(socket))
    socket.setNoDelay(true)
    socket.on("error", () => resolve(null))
  })
}

/** True when an answer came; it is small enough to come in one piece. */
function ask(socket: Socket, request: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isAnswered: boolean) => () => {
      socket.removeAllListeners("data")
      socket.removeAllListeners("close")
      resolve(isAnswered)
    }
    socket.once("data", end(true))
    socket.once("close", end(false))
    if (socket.destroyed) resolve(false)
    else socket.write(request)
  })
}
