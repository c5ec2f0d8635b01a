// What happens by itself to invoices that are not paid, as the clock of a sandbox shows it.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { until } from "../support/until"
import { sandbox, stopSandboxes } from "../support/sandbox"

type Named = Record<string, any>
let api: Api
let admin: Api

beforeAll(async () => {
  const shop = await sandbox()
  api = shop.api
  admin = await signIn(shop, shop.email, shop.password)
})
afterAll(stopSandboxes)

const advance = async (duration: string) =>
  expect((await api.put("/sandbox/clock", { advance: duration })).status).toBe(200)
const remindersOf = async (invoice: Named): Promise<Named[]> =>
  (await api.get(`/reminders?invoice=${invoice["id"]}&sort=createdAt&order=asc`)).body.data
const bill = (customer: Named): Promise<Named> =>
  api.create("/invoices", {
    customer: customer["id"],
    items: [{ description: "Work", quantity: 1, rate: 100 }],
    invoiceDate: "2027-01-04",
    dueDate: "2027-01-14",
    status: "unpaid",
  })

test("reminders are made and sent each morning by themselves, one of each level, until the invoice is paid", async () => {
  // The shop has older debts, which are not the subject.
  const pause = { remindersPausedUntil: "2099-12-31" }
  for (const { id } of (await api.get("/customers?perPage=100")).body.data)
    await api.put(`/customers/${id}`, pause)
  const known = await api.create("/customers", { name: "Known", email: "known@example.com" })
  const silent = await api.create("/customers", { name: "Silent" })
  const [paid, unpaid, other, quiet] = [
    await bill(known),
    await bill(known),
    await bill(await api.create("/customers", { name: "Other", email: "other@example.com" })),
    await bill(silent),
  ]
  await advance("P16D")
  expect((await admin.put("/settings", { remindersAutomatic: true })).status).toBe(200)
  // It is 9 in the morning, so today's are due at once; these are due tomorrow.
  await advance("PT22H")
  expect(await remindersOf(unpaid)).toEqual([])
  await advance("PT2H")
  const [first] = await remindersOf(paid)
  expect(first).toMatchObject({ level: 1, date: "2027-01-21", createdBy: null })
  expect(first?.["createdAt"]).toStartWith("2027-01-21T08:00:00")
  const toKnown = async () =>
    (await api.get("/sandbox/messages")).body.data.filter(({ to }: Named) => to.includes("known@example.com"))
  await until(async () => (await toKnown()).length > 0)
  expect(await toKnown()).toHaveLength(1)
  expect((await api.get(`/messages?record=${known.id}`)).body.data[0].records).toHaveLength(2)

  await api.post(`/invoices/${paid["id"]}/payments`, { amount: paid["balance"] })
  await advance("P13D")
  expect(await remindersOf(unpaid)).toHaveLength(1)
  await advance("P1D")
  expect((await remindersOf(unpaid)).map(({ level, date }) => [level, date])).toEqual([
    [1, "2027-01-21"],
    [2, "2027-02-04"],
  ])
  await advance("P1Y")
  expect((await remindersOf(unpaid)).map(({ level, date }) => [level, date])).toEqual([
    [1, "2027-01-21"],
    [2, "2027-02-04"],
    [3, "2027-02-18"],
  ])
  expect((await remindersOf(paid)).map(({ level }) => level)).toEqual([1])
  expect((await remindersOf(other)).map(({ level }) => level)).toEqual([1, 2, 3])
  // Nobody sees a letter that cannot be sent, so it is left to a person.
  expect(await remindersOf(quiet)).toEqual([])
})
