import { isIP } from "node:net"
import { Readable } from "node:stream"
import type SMTPConnection from "nodemailer/lib/smtp-connection"
import type { ConnectionOptions } from "node:tls"
import { mayBePlain, plainError } from "../../settings/smtp-addresses"
import { knownAddress, type Network } from "../../webhooks/addresses"
import { failureOf } from "../../webhooks/failure"
import { longestAnswer, type Step, type TestStep } from "../model"
import type { Content } from "./compose"
import { type AccessTokens, NoToken } from "./oauth"
import type { Server } from "./server"

/** A message with the addresses that the server is told. */
export type Envelope = {
  from: string
  to: readonly string[]
  /** Who gets a copy without being named. */
  bcc?: string | null
  bytes: Uint8Array
  /** What the bytes were made of, for a demo that keeps it. A test of the settings has none. */
  content?: Content
}

/**
 * What an attempt has led to. `refused` has the code of the server; `failed` means that the connection ended before the
 * end of the message, so that the server cannot have taken it; `unknown` that it ended after the last byte, before the
 * answer; `impossible` that the message is too large for the server; `stopped` that it was given up before the last byte.
 */
export type Outcome = {
  result: "sent" | "refused" | "failed" | "unknown" | "impossible" | "stopped"
  step: Step
  code: number | null
  text: string
  /** The addresses that the server has refused. */
  rejected: string[]
  /** How far it came, in the words of the server. */
  steps: TestStep[]
}

/** In milliseconds. RFC 5321, 4.5.3.2, gives the server five minutes for a command and ten for the end of the message. */
export type Timeouts = { connect: number; greeting: number; command: number; end: number }
export const usualTimeouts: Timeouts = {
  connect: 30_000,
  greeting: 300_000,
  command: 300_000,
  end: 600_000,
}

/** In bytes. No answer of a server is longer, except to break its client. */
const longestReply = 65_536
/** A name can have many addresses. */
const mostAddresses = 4

export type DeliveryDeps = {
  network: Network
  tokens: AccessTokens
  signal: AbortSignal
  /** Called just before the last byte. If it returns false, the message is not sent. */
  beforeEnd: () => Promise<boolean>
  timeouts?: Timeouts
  /** Certificates that tests trust. */
  tls?: ConnectionOptions
}

/** Why an attempt is given up: a step, a sentence, and the answer of the server if there was one. */
class GivenUp extends Error {
  constructor(
    readonly step: Step,
    message: string,
    readonly responseCode?: number,
    readonly response?: string,
    readonly rejected: string[] = [],
  ) {
    super(message)
  }
}

/** Hands a message to a server. It never throws: whatever happens is an outcome. */
export async function deliver(server: Server, envelope: Envelope, deps: DeliveryDeps): Promise<Outcome> {
  const run: Run = { server, deps, waiting: [], isSending: false, isEnded: false, steps: [] }
  try {
    const connection = await connect(run)
    const giveUp = () => connection.close()
    deps.signal.addEventListener("abort", giveUp)
    try {
      if (deps.signal.aborted) throw new GivenUp("connect", "The server of Kontor is stopping.")
      await signIn(run, connection)
      return await send(run, connection, envelope)
    } finally {
      deps.signal.removeEventListener("abort", giveUp)
      connection.close()
    }
  } catch (error) {
    return outcomeOf(run, error)
  }
}

type Run = {
  server: Server
  deps: DeliveryDeps
  /** The steps of the commands that were sent and not answered yet; null for those that are no step. */
  waiting: (Step | null)[]
  /** True while the content of the message is sent. */
  isSending: boolean
  /** True from just before the last byte. */
  isEnded: boolean
  steps: TestStep[]
}

/** What nodemailer's errors have. */
type SmtpError = Error & {
  code?: string
  originalCode?: string
  response?: string
  responseCode?: number
  command?: string
  rejected?: string[]
}

function outcomeOf(run: Run, thrown: unknown): Outcome {
  const { isEnded, steps, deps } = run
  const error = thrown as SmtpError
  const step = stepOf(error, run)
  const code = error.responseCode ?? null
  const text = code === null ? reasonOf(error) : cut(error.response ?? error.message)
  // The answer may be noted already, and others that followed from it.
  const last = code === null ? -1 : steps.findLastIndex((each) => each.step === step && each.code === code)
  const shown = last < 0 ? [...steps, { step, code, text }] : steps.slice(0, last + 1)
  const told = { step, code, text, rejected: error.rejected ?? [], steps: shown }
  if (code !== null && code >= 400) return { ...told, result: "refused" }
  if (isEnded) return { ...told, step: "data", result: "unknown" }
  if (error.code === "EMESSAGE") return { ...told, step: "sender", result: "impossible" }
  return { ...told, result: deps.signal.aborted ? "stopped" : "failed" }
}

function stepOf(error: SmtpError, { waiting, isSending, steps }: Run): Step {
  if (error instanceof GivenUp) return error.step
  if (isOfTls(error)) return "tls"
  if (error instanceof NoToken || error.command?.startsWith("AUTH")) return "auth"
  const known: Record<string, Step> = { "MAIL FROM": "sender", "RCPT TO": "recipient", DATA: "data" }
  const told = known[error.command ?? ""] ?? waiting.find((step) => step !== null)
  if (told) return told
  if (isSending) return "data"
  return steps.at(-1)?.step === "tls" ? "tls" : "connect"
}

/** True for an error of the handshake, such as a certificate that is not trusted. */
function isOfTls({ code = "", originalCode = code, message }: SmtpError): boolean {
  const { code: known } = failureOf(Object.assign(new Error(message), { code: originalCode }))
  return code === "ETLS" || known.startsWith("CERTIFICATE") || /^(ERR_SSL|EPROTO$)/.test(originalCode)
}

/** Why there was no answer, as a sentence. */
function reasonOf(error: SmtpError): string {
  if (error instanceof GivenUp || error instanceof NoToken) return cut(error.message)
  if (error.code === "ETIMEDOUT") return "The server did not answer in time."
  if (error.code === "EPROTOCOL") return "The answer of the server is not SMTP, or it is too long."
  if (error.code === "ECONNECTION") return "The server closed the connection before its answer."
  if (error.code === "EMESSAGE") return "The message is larger than the server accepts."
  const code = error.originalCode ?? error.code
  return cut(failureOf(Object.assign(new Error(error.message), { code })).message)
}

/** Cuts what a server has said. It may contain anything. */
export const cut = (text: string): string =>
  text
    .slice(0, 4 * longestAnswer)
    // eslint-disable-next-line no-control-regex -- these are the characters being replaced
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .toWellFormed()
    .trim()
    .slice(0, longestAnswer)
    .toWellFormed()

/** Connects to the first address that answers, and waits for the greeting and for TLS. */
async function connect(run: Run): Promise<SMTPConnection> {
  const { server, deps } = run
  const addresses = await addressesOf(server, deps.network)
  let failure: unknown = new GivenUp("connect", `The name ${server.host} has no address.`)
  for (const address of addresses.slice(0, mostAddresses)) {
    if (deps.signal.aborted) break
    try {
      const connection = await connectTo(run, address)
      if (run.server.security === "tls")
        run.steps.push({ step: "tls", code: null, text: "The connection is encrypted." })
      return connection
    } catch (error) {
      failure = error
      // A server that has answered is the right one, whatever its answer is.
      if (run.steps.length > 0 || (error as SmtpError).responseCode) break
    }
  }
  throw failure
}

async function addressesOf({ host, security }: Server, { resolve }: Network): Promise<string[]> {
  const found = await resolve(host).catch(() => [])
  const known = knownAddress(host)
  const addresses = found.length > 0 ? found : known === null ? [] : [known]
  if (addresses.length === 0) throw new GivenUp("connect", `The name ${host} could not be resolved.`)
  if (security === "none" && !mayBePlain(addresses))
    throw new GivenUp("connect", `The connection would not be encrypted: security ${plainError}.`)
  return addresses
}

async function connectTo(run: Run, address: string): Promise<SMTPConnection> {
  const { server, deps } = run
  const { connect: connectTime, greeting } = deps.timeouts ?? usualTimeouts
  // The name that the certificate must have. An address is compared as an address, and is not told to the server.
  const named = isIP(server.host) ? {} : { servername: server.host }
  // Loaded with the first connection, so that a server starts sooner.
  const { default: Connection } = await import("nodemailer/lib/smtp-connection")
  const connection = new Connection({
    host: address,
    ...named,
    port: server.port,
    secure: server.security === "tls",
    requireTLS: server.security === "starttls",
    ignoreTLS: server.security === "none",
    allowInternalNetworkInterfaces: true,
    connectionTimeout: connectTime + greeting,
    greetingTimeout: greeting,
    socketTimeout: (deps.timeouts ?? usualTimeouts).end,
    maxResponseSize: longestReply,
    tls: { rejectUnauthorized: true, ...deps.tls, ...named },
    logger: transcript(run),
    transactionLog: true,
  })
  return new Promise<SMTPConnection>((resolve, reject) => {
    const giveUp = () => {
      connection.close()
      reject(new GivenUp("connect", "The server of Kontor is stopping."))
    }
    deps.signal.addEventListener("abort", giveUp)
    const end = (error?: unknown) => {
      deps.signal.removeEventListener("abort", giveUp)
      if (!error) return resolve(connection)
      connection.close()
      reject(error as Error)
    }
    // Later errors come with the command that they end.
    connection.on("error", end)
    connection.connect(end)
  })
}

/** Notes what the server says in each step. nodemailer logs each command and each answer, without secrets. */
function transcript(run: Run) {
  // The first answer is the greeting.
  run.waiting = ["connect"]
  const note = ({ tnx }: { tnx?: string }, text: unknown) => {
    if (typeof text !== "string") return
    if (tnx === "client") run.waiting.push(stepOfCommand(text))
    if (tnx === "server") noteAnswer(run, text)
  }
  const silent = () => {}
  return { trace: silent, debug: note, info: silent, warn: silent, error: silent, fatal: silent }
}

function stepOfCommand(command: string): Step | null {
  const [verb = ""] = command.split(/[ :]/)
  const known: Record<string, Step> = { STARTTLS: "tls", MAIL: "sender", RCPT: "recipient", DATA: "data" }
  // Whatever else is sent belongs to signing in.
  return known[verb] ?? (["EHLO", "HELO", "QUIT", "RSET"].includes(verb) ? null : "auth")
}

/** An answer of 3xx asks for more: another one follows. */
function noteAnswer({ steps, waiting }: Run, text: string): void {
  const code = Number(text.slice(0, 3)) || null
  // The content of the message is no command.
  const step = waiting.length > 0 ? waiting.shift() : "data"
  if (step && code !== null && Math.floor(code / 100) !== 3) steps.push({ step, code, text: cut(text) })
}

async function signIn(run: Run, connection: SMTPConnection): Promise<void> {
  const { server, deps } = run
  const { auth } = server
  if (auth.type === "none") return
  const given =
    auth.type === "password"
      ? { user: auth.user, pass: auth.password }
      : { user: auth.user, method: "XOAUTH2", oauth2: tokenSource(run, auth) as never }
  const { command } = deps.timeouts ?? usualTimeouts
  await within(command, connection, (done) => connection.login(given, done))
}

/** What nodemailer asks for tokens. After an answer that the token has expired, it asks for a new one. */
function tokenSource({ deps }: Run, { user, client }: Extract<Server["auth"], { type: "oauth2" }>) {
  return {
    getToken(isRenewed: boolean, done: (error: Error | null, token?: string) => void): void {
      deps.tokens(client, deps.network, deps.signal, isRenewed).then((token) => done(null, token), done)
    },
    buildXOAuth2Token: (token: string): string =>
      Buffer.from(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`).toString("base64"),
  }
}

async function send(run: Run, connection: SMTPConnection, given: Envelope): Promise<Outcome> {
  const { deps, steps } = run
  const { from, to, bcc, bytes } = given
  const { command, end } = deps.timeouts ?? usualTimeouts
  const late: { extend: (millis: number) => void } = { extend: () => {} }
  const content = async function* () {
    run.isSending = true
    const refused = refusalOfAll(run, to)
    // Without its end, the server does not take the message.
    if (refused) throw refused
    yield Buffer.from(bytes)
    const mayEnd = (await deps.beforeEnd()) && !deps.signal.aborted
    if (!mayEnd) throw new GivenUp("data", "The message was given up before its end.")
    run.isEnded = true
    late.extend(end)
    return undefined
  }
  const envelope = { from, to: [...to, ...(bcc ? [bcc] : [])], size: bytes.length }
  const info = await within<Info>(
    command,
    connection,
    (done) => connection.send(envelope, Readable.from(content()), done),
    // The time for the commands ends where that for the answer to the message begins.
    (extend) => (late.extend = extend),
  )
  const answer = info?.response ?? ""
  if (!run.isEnded || !answer.startsWith("2"))
    throw new GivenUp("data", `The server answered before the end of the message: ${answer}`)
  const rejected = info?.rejected ?? []
  return {
    result: "sent",
    step: "data",
    code: Number(answer.slice(0, 3)),
    text: withRefused(answer, info),
    rejected,
    steps,
  }
}

/** The error of a message of which the server takes only the copy: nobody whom it names would get it. */
function refusalOfAll({ steps }: Run, to: readonly string[]): GivenUp | null {
  const answers = steps.filter(({ step }) => step === "recipient").slice(0, to.length)
  if (answers.length < to.length || answers.some(({ code }) => (code ?? 0) < 400)) return null
  const told = answers.find(({ code }) => (code ?? 0) < 500) ?? answers[0]
  return new GivenUp("recipient", "All addresses were refused.", told?.code ?? 0, told?.text, [...to])
}

type Info = { response?: string; rejected?: string[]; rejectedErrors?: SmtpError[] }

/** The answer of the server, and what it has said of the addresses that it refused. */
const withRefused = (text: string, info: Info | undefined): string =>
  cut([text, ...(info?.rejectedErrors ?? []).map(({ response = "" }) => `Refused: ${response}`)].join(" "))

/** Waits for a command. After the time, or when the connection fails, it throws. */
function within<T>(
  millis: number,
  connection: SMTPConnection,
  begin: (done: (error?: Error | null, value?: T) => void) => void,
  onExtend: (extend: (millis: number) => void) => void = () => {},
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const late = () => {
      reject(Object.assign(new Error("Timeout"), { code: "ETIMEDOUT" }))
      connection.close()
    }
    let timer = setTimeout(late, millis)
    onExtend((longer) => {
      clearTimeout(timer)
      timer = setTimeout(late, longer)
    })
    const end = (error?: Error | null, value?: T) => {
      clearTimeout(timer)
      connection.removeListener("error", end)
      connection.removeListener("end", closed)
      if (error) reject(error)
      else resolve(value)
    }
    // The command gets its own error first.
    const closed = () => setImmediate(() => end(Object.assign(new Error("Closed"), { code: "ECONNECTION" })))
    connection.on("error", end)
    connection.once("end", closed)
    begin(end)
  })
}
