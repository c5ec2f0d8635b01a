import PostalMime, { type Email } from "postal-mime"
import { createServer, type Socket } from "node:net"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

const stopping: (() => Promise<void>)[] = []

/** Stops all mail servers. Call it in afterAll. */
export async function stopMailServers(): Promise<void> {
  for (const stop of stopping.splice(0)) await stop()
}

/** A message that a mail server has taken. */
export type Taken = { from: string; to: string[]; raw: Buffer; session: SMTPServerSession }

/** An answer of the server other than that it takes something. */
export const refusal = (code: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode: code })

/** Reads a message as a program for mail does. */
export const readMail = ({ raw }: Pick<Taken, "raw">): Promise<Email> => PostalMime.parse(raw)

export type MailServerOptions = SMTPServerOptions & {
  /** Answers at the end of a message: it throws to refuse it. */
  answer?: (mail: Taken, number: number) => Promise<void> | void
}

/** Starts a mail server on this machine, which keeps what it takes. */
export async function mailServer({ answer = () => {}, ...options }: MailServerOptions = {}) {
  const taken: Taken[] = []
  /** The number of messages that have come to their end, also of those that are refused. */
  const counts = { ended: 0, connections: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect: (_, done) => void (counts.connections++, done()),
    onAuth: (_, __, done) => done(null, { user: "shop" }),
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", async () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ""
        const mail = { from, to: rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks), session }
        try {
          await answer(mail, ++counts.ended)
          taken.push(mail)
          done()
        } catch (error) {
          done(error as Error)
        }
      })
    },
  })
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.server.address()
  const stop = () => new Promise<void>((resolve) => server.close(resolve))
  stopping.push(stop)
  return { taken, counts, stop, port: typeof address === "object" ? (address?.port ?? 0) : 0 }
}

export type MailServer = Awaited<ReturnType<typeof mailServer>>

/** What a server does that does not follow the protocol: it gets each line, and answers or not. */
export type Script = (line: string, socket: Socket, state: { isData: boolean }) => string | null

/** The answers of a server that takes everything. */
export const polite: Script = (line, _, state) => {
  if (state.isData) return line === "." ? ((state.isData = false), "250 2.0.0 taken") : null
  const [verb = ""] = line.toUpperCase().split(/[ :]/)
  if (verb === "DATA") return ((state.isData = true), "354 go on")
  if (verb === "QUIT") return "221 bye"
  return verb === "EHLO" ? "250-here\r\n250 SIZE 10000000" : "250 2.1.0 ok"
}

/** Starts a mail server whose answers a script gives. An empty greeting is none. */
export async function scriptedServer(script: Script = polite, greeting = "220 here ESMTP") {
  const sockets = new Set<Socket>()
  const lines: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
    const state = { isData: false }
    let rest = ""
    if (greeting) socket.write(`${greeting}\r\n`)
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1")
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        lines.push(line)
        const answer = script(line, socket, state)
        if (answer !== null && !socket.destroyed) socket.write(`${answer}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  stopping.push(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { lines, port: typeof address === "object" ? (address?.port ?? 0) : 0 }
}
