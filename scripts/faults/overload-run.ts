// More load than a shop will ever have: silent sockets, slow sockets, and many concurrent requests.
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"

export type Load = {
  url: string
  headers: Record<string, string>
  /** Sockets that are opened and send nothing. */
  idle: number
  /** Sockets that send a header or a body one character at a time. */
  slow: number
  /** Requests that are sent before the first is answered. */
  requests: number
  /** Concurrent sign-ins with wrong passwords. */
  logins: number
}

export type Outcome = {
  /** The number of responses per status; "cut off" is a connection that was closed without a response. */
  answers: Record<string, number>
  logins: Record<string, number>
  /** The responses to a client that sent one request after the other during the load. */
  healthy: Record<string, number>
  /** The slowest of those responses, in milliseconds. */
  slowest: number
}

/** Creates the load, waits for all responses, and closes every socket. */
export async function overload({ url, headers, idle, slow, requests, logins }: Load): Promise<Outcome> {
  const held = await Promise.all(Array.from({ length: idle }, () => open(url)))
  const slowSockets = Array.from({ length: slow }, (_, index) => slowSocket(url, headers, index % 2 === 0))
  const healthy = client(url, headers)
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, index) => ask(url, request(index, headers))),
  )
  const guesses = await Promise.all(Array.from({ length: logins }, (_, index) => ask(url, guess(index))))
  const { statuses, slowest } = await healthy.stop()
  for (const stop of slowSockets) stop()
  for (const socket of held) socket.destroy()
  return { answers: count(answers), logins: count(guesses), healthy: count(statuses), slowest }
}

/** The current and the peak memory of a process, in MB. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024)
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") }
}

/** The statuses that must not occur: an error other than 503, or no response. */
export const failuresIn = ({ answers, logins, healthy }: Outcome): string[] =>
  [answers, logins, healthy]
    .flatMap((statuses) => Object.keys(statuses))
    .filter((status) => status === "cut off" || (status.startsWith("5") && status !== "503"))

/** Sends the start of a request, then one character per second. True when the server closes the connection. */
export function isCutOff(url: string, start: string, letter: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => start && socket.write(start))
    const slow = setInterval(() => letter && socket.write(letter), 1_000)
    const end = (byServer: boolean) => () => {
      clearInterval(slow)
      clearTimeout(timeout)
      socket.destroy()
      resolve(byServer)
    }
    const timeout = setTimeout(end(false), 5 * 60_000)
    socket.on("close", end(true))
    socket.on("error", end(true))
  })
}

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    // The server may close it at any time.
    socket.on("error", () => resolve(socket))
  })
}

function slowSocket(url: string, headers: Record<string, string>, inBody: boolean): () => void {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  const head = `POST /api/v1/items HTTP/1.1\r\nHost: localhost\r\n`
  socket.write(
    inBody
      ? `${head}${lines(headers)}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`
      : head,
  )
  const timer = setInterval(() => socket.write(inBody ? " " : "X"), 50)
  return () => {
    clearInterval(timer)
    socket.destroy()
  }
}

/** Sends one request on a new connection and returns the status. */
function ask(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let received = ""
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on("data", (chunk) => (received ||= chunk.toString("latin1", 0, 16)))
    const end = () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? "cut off")
    socket.on("close", end)
    socket.on("error", end)
  })
}

const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")

const reads = [
  "/api/v1/items?perPage=100",
  "/api/v1/search?q=a",
  "/api/v1/reports/summary",
  "/api/v1/customers",
  "/health",
]

function request(index: number, headers: Record<string, string>): string {
  const shared = `Host: localhost\r\n${lines(headers)}Connection: close\r\n`
  if (index % 4 !== 0) return `GET ${reads[index % reads.length]} HTTP/1.1\r\n${shared}\r\n`
  const body = JSON.stringify({ name: `Customer ${index}` })
  return `POST /api/v1/customers HTTP/1.1\r\n${shared}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function guess(index: number): string {
  const body = JSON.stringify({ email: `guess${index}@example.com`, password: "a wrong password" })
  // Each has another client address; otherwise the server would soon refuse them without a check.
  const from = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  return `POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** A client with normal use. */
function client(url: string, headers: Record<string, string>) {
  let isRunning = true
  let slowest = 0
  const statuses: string[] = []
  const running = (async () => {
    while (isRunning) {
      const began = performance.now()
      statuses.push(await ask(url, request(statuses.length % 2 ? 1 : 4, headers)))
      slowest = Math.max(slowest, performance.now() - began)
    }
  })()
  return {
    async stop() {
      isRunning = false
      await running
      return { statuses, slowest: Math.round(slowest) }
    },
  }
}

function count(statuses: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
