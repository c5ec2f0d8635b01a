import { parse } from "csv-parse/sync"
import { readXlsx } from "hucre/xlsx"
import { connect } from "node:net"
import type { Api } from "./api"
import { download } from "./downloads"
import type { Kontor } from "./kontor"

export type Exports = ReturnType<typeof exportsOf>
type Rows = (string | number | boolean | Date | null)[][]

/** Downloads exports and reads them with the programs of others. */
export function exportsOf(kontor: Pick<Kontor, "url">, api: Pick<Api, "credential">) {
  const file = async (path: string) => {
    const answer = await download(kontor, api, path)
    if (answer.status !== 200)
      throw new Error(`${path} returned ${answer.status}: ${answer.bytes.toString()}`)
    return answer.bytes
  }
  return {
    /** The text of a CSV file. */
    csv: async (kind: string, query = "") =>
      (await file(`/${kind}/export?format=csv&${query}`)).toString("utf8"),
    /** The rows of a CSV file, with the titles first. */
    async rows(kind: string, query = "", delimiter = ","): Promise<string[][]> {
      return parse(await this.csv(kind, query), { delimiter, bom: true, relax_column_count: false })
    },
    /** The rows of all sheets of an XLSX file. */
    async sheets(kind: string, query = ""): Promise<{ name: string; rows: Rows }[]> {
      const { sheets } = await readXlsx(await file(`/${kind}/export?format=xlsx&${query}`))
      return sheets.map(({ name, rows }) => ({ name, rows }))
    },
    /** The format of each column of an XLSX file by its title; undefined for one without a format. */
    async formats(kind: string, query = ""): Promise<Record<string, string | undefined>> {
      const bytes = await file(`/${kind}/export?format=xlsx&${query}`)
      const { sheets } = await readXlsx(bytes, { readStyles: true })
      const [sheet] = sheets
      const titles = sheet?.rows[0] ?? []
      return Object.fromEntries(
        titles.map((title, i) => [String(title), sheet?.cells?.get(`1,${i}`)?.style?.numFmt]),
      )
    },
    records: async (kind: string, query = ""): Promise<Record<string, unknown>[]> =>
      (await file(`/${kind}/export?format=ndjson&${query}`))
        .toString("utf8")
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line)])),
  }
}

/** A client that takes only the beginning of a response, until it is told to go on. */
export async function slowClient(
  { url }: Pick<Kontor, "url">,
  { credential }: Pick<Api, "credential">,
  path: string,
  {
    method = "GET",
    sent = "",
    ...more
  }: { method?: "GET" | "POST"; sent?: string; "Idempotency-Key"?: string } = {},
) {
  const { hostname, port } = new URL(url)
  const body = sent && { "Content-Type": "application/json", "Content-Length": `${Buffer.byteLength(sent)}` }
  const headers = Object.entries({ ...credential, ...body, ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const received: Buffer[] = []
  const began = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname, () =>
    socket.write(
      `${method} /api/v1${path} HTTP/1.1\r\nHost: ${hostname}\r\n${headers.join("")}Connection: close\r\n\r\n${sent}`,
    ),
  )
  let arrived = () => began.resolve()
  let isPausing = true
  socket.on("data", (bytes) => {
    received.push(bytes)
    if (isPausing) socket.pause()
    arrived()
  })
  socket.on("error", () => closed.resolve())
  socket.on("close", () => closed.resolve())
  return {
    /** Resolves when the first bytes are there. */
    began: began.promise,
    /** Disconnects. */
    disconnect: () => socket.destroy(),
    /** Goes on to take what comes. */
    resume: () => {
      isPausing = false
      socket.resume()
    },
    /** Takes a part of what has come, and returns its size. Waits until there is one, or the connection is closed: 0. */
    takeSome: () =>
      new Promise<number>((resolve) => {
        arrived = () => resolve(received.at(-1)?.length ?? 0)
        void closed.promise.then(() => resolve(0))
        socket.resume()
      }),
    /** What it has taken until now, with the headers and the sizes of chunks. */
    taken: () => Buffer.concat(received).toString("utf8"),
    /** Takes the rest. A response is complete when its last chunk is empty, or when it has the length of its header. */
    async takeRest(): Promise<{ body: string; isComplete: boolean }> {
      isPausing = false
      socket.resume()
      await closed.promise
      const whole = Buffer.concat(received)
      const start = whole.indexOf("\r\n\r\n") + 4
      const head = whole.toString("latin1", 0, start)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      const body = whole.subarray(start)
      return length === undefined
        ? unchunked(body)
        : { body: body.toString("latin1"), isComplete: body.length === Number(length) }
    },
  }
}

function unchunked(bytes: Buffer): { body: string; isComplete: boolean } {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\r\n", at)
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16)
    if (size === 0) return { body: Buffer.concat(parts).toString("utf8"), isComplete: true }
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return { body: Buffer.concat(parts).toString("utf8"), isComplete: false }
}
