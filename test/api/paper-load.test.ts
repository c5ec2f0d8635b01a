// Many downloads at once.
import { afterAll, expect, test } from "bun:test"
import { connect } from "node:net"
import { apiWith, signIn } from "../support/api"
import { cleanUp } from "../support/kontor"
import { download, loggedForms, paperShop } from "../support/downloads"

const { kontor, api, body } = await paperShop()
afterAll(cleanUp)

const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))
const hasNoErrors = () => expect(kontor.output.stderr).not.toContain('"level":"error"')

test("50 first downloads of one form at once get the same bytes, and it is stored and logged once", async () => {
  const { id } = await api.create("/invoices", body({ status: "unpaid", buyerReference: "04011000-1" }))
  for (const [form, path] of [
    ["pdf-de", "pdf?language=de"],
    ["ubl-xrechnung", "xml?format=ubl&profile=xrechnung"],
  ] as const) {
    const answers = await times(50, () => download(kontor, api, `/invoices/${id}/${path}`))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const hashes = new Set(answers.flatMap(({ sha256, etag }) => [`"${sha256}"`, etag]))
    expect(hashes.size).toBe(1)
    const logged = (await loggedForms(api, `/invoices/${id}`)).filter((each) => form in each)
    expect(logged).toEqual([{ [form]: answers[0]?.sha256 ?? "" }])
  }
  hasNoErrors()
})

test("more PDFs than can wait are refused with Retry-After, and another user than the one with many keys gets one", async () => {
  const drafts = await times(30, () => api.create("/invoices", body()))
  const keys = await times(40, (i) => api.create("/api-keys", { name: `Key ${i}`, scopes: ["read"] }))
  const account = { email: "other@example.com", password: "another password" }
  await api.create("/users", { ...account, name: "Other", role: "viewer" })
  const other = await signIn(kontor, account.email, account.password)
  let drawn = 0
  const many = Array.from({ length: 120 }, async (_, i) => {
    const credential = apiWith(kontor, { "x-api-key": keys[i % 40].key })
    const answer = await download(kontor, credential, `/invoices/${drafts[i % 30].id}/pdf`)
    if (answer.status === 200) drawn++
    return answer
  })
  await Promise.race(many)
  const before = drawn
  const one = await download(kontor, other, `/invoices/${drafts[0].id}/pdf`)
  expect(one.status).toBe(200)
  // It takes turns with the user who has many keys, not with each of the keys.
  expect(drawn - before).toBeLessThan(20)
  const answers = await Promise.all(many)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
  for (const { status, headers, bytes } of answers) {
    if (status === 200) continue
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect(JSON.parse(bytes.toString()).error.code).toBe("SERVICE_UNAVAILABLE")
  }
  // One is drawn and 50 wait, of which one may have made room for the other client.
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(50)
  expect((await download(kontor, api, `/invoices/${drafts[1].id}/pdf`)).status).toBe(200)
  expect((await api.get("/invoices?perPage=1")).status).toBe(200)
  hasNoErrors()
})

test("clients that disconnect while they wait do no harm", async () => {
  const { hostname, port } = new URL(kontor.url)
  const drafts = await times(20, () => api.create("/invoices", body()))
  const issued = await api.create("/invoices", body({ status: "unpaid" }))
  /** Sends a request and disconnects while it waits. */
  const drop = (path: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${api.credential["authorization"]}\r\n\r\n`,
          () => setTimeout(() => socket.destroy(), 10),
        ),
      )
      socket.once("close", () => resolve())
    })
  await Promise.all([
    ...drafts.map(({ id }) => drop(`/invoices/${id}/pdf`)),
    drop(`/invoices/${issued.id}/pdf?language=fr`),
  ])
  const { status, sha256 } = await download(kontor, api, `/invoices/${issued.id}/pdf`)
  expect(status).toBe(200)
  // The client that disconnected may have been served already. Then its PDF is stored, as any other.
  const french = await download(kontor, api, `/invoices/${issued.id}/pdf?language=fr`)
  expect([french.status, french.etag]).toEqual([200, `"${french.sha256}"`])
  expect(french.sha256).not.toBe(sha256)
  hasNoErrors()
})
