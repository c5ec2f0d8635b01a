// The second client, in a separate thread: sends GET /health continuously over one connection, and measures how much CPU
// time the server spends until it responds. It is the same however busy the machine is.
import { connect, type Socket } from "node:net"
import { mainThreadMillis } from "./cost-cpu"
import { millis, type Question, type Watching, type WatcherMessage } from "./cost-watch"

declare const self: Worker

type Wait = { from: number; to: number; cpu: number }

let waits: Wait[] = []
let questions: (Question & { askedAt: number })[] = []
let isRunning = true

self.onmessage = ({ data }: MessageEvent<WatcherMessage>) => {
  if ("url" in data) void watch(data)
  else if ("since" in data) questions.push({ ...data, askedAt: millis() })
  else isRunning = false
}

async function watch({ url, pid, pause }: Watching): Promise<void> {
  const { hostname, port } = new URL(url)
  const request = `GET /health HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`
  let socket: Socket | null = null
  while (isRunning) {
    socket ??= await open(hostname, Number(port))
    const [from, before] = [millis(), mainThreadMillis(pid)]
    const isAnswered = socket !== null && (await ask(socket, request))
    if (isAnswered) note({ from, to: millis(), cpu: mainThreadMillis(pid) - before })
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
  // A question is answered only after one more response, because a request may leave work for the server's next turn.
  const settled = questions.filter(({ askedAt }) => askedAt <= wait.from)
  questions = questions.filter(({ askedAt }) => askedAt > wait.from)
  for (const { id, since } of settled) {
    // Later questions ask about later times, so earlier waits are no longer needed.
    waits = waits.filter(({ to }) => to >= since)
    self.postMessage({ id, most: Math.max(...waits.map(({ cpu }) => cpu)) })
  }
}

function open(hostname: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname, () => resolve(socket))
    socket.setNoDelay(true)
    socket.on("error", () => resolve(null))
  })
}

/** Sends a request. Returns true when a response arrives, which is small enough for one chunk. */
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
