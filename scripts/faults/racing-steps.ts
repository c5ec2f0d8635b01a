// What the clients of the racing test do: each sends the same request to all servers at the same moment.
import type { Answer, Client, Found } from "./client"
import type { Random } from "./random"

/** The few records that all clients use. New orders, deliveries, invoices and credit notes are added. */
export type Stage = {
  clients: readonly Client[]
  random: Random
  customers: string[]
  /** The customer with a credit limit. */
  limited: string
  items: string[]
  orders: Found[]
  invoices: Found[]
  deliveries: Found[]
  notes: Found[]
  /** How often each status or code of an error was returned. */
  answers: Record<string, number>
  problems: string[]
}

/** Orders, invoices and credit notes that clients choose from. Older ones have nothing left. */
const recent = 12

const pickRecent = ({ random }: Stage, records: readonly Found[]): Found | null =>
  records.length === 0 ? null : random.pick(records.slice(-recent))

const fail = (stage: Stage, problem: string): void => void stage.problems.push(problem)

/** Sends a request to every server at once, and counts the answers. */
async function everywhere(
  stage: Stage,
  [method, path, body, headers]: [
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ],
): Promise<Answer[]> {
  const answers = await Promise.all(stage.clients.map((client) => client.call(method, path, body, headers)))
  for (const { status, body: answer } of answers) {
    const name = answer?.error?.code ?? String(status)
    stage.answers[name] = (stage.answers[name] ?? 0) + 1
    if (status >= 500 || status === 401 || status === 429)
      fail(stage, `${method} ${path} returned ${status}.`)
  }
  return answers
}

const createdBy = (answers: readonly Answer[]): Found[] =>
  answers.filter(({ status }) => status === 201).map(({ body }) => body.data as Found)

/** Sends the same Idempotency-Key to all servers. They create one record. */
async function order(stage: Stage): Promise<void> {
  const { random } = stage
  const items = [{ item: random.pick(stage.items), quantity: random.between(1, 4) }]
  const body = { customer: random.pick(stage.customers), items, status: "submitted" }
  const key = { "idempotency-key": crypto.randomUUID() }
  const created = createdBy(await everywhere(stage, ["POST", "/sales-orders", body, key]))
  if (new Set(created.map(({ id }) => id)).size > 1) fail(stage, "A key was used for two orders.")
  if (created[0]) stage.orders.push(created[0])
}

/** Makes an order of one quotation on all servers. There is one order of it. */
async function offer(stage: Stage): Promise<void> {
  const { random, clients } = stage
  const items = [{ item: random.pick(stage.items), quantity: random.between(1, 4) }]
  const body = { customer: random.pick(stage.customers), items, status: "sent" }
  const [made] = createdBy([await (clients[0] as Client).call("POST", "/quotations", body)])
  if (!made) return
  const { id } = made
  const ordered = createdBy(await everywhere(stage, ["POST", `/quotations/${id}/order`]))
  if (ordered.length !== 1) fail(stage, `There are ${ordered.length} orders of one quotation.`)
}

/** Invoices all of an order, or one piece, on all servers. */
async function bill(stage: Stage): Promise<void> {
  const found = pickRecent(stage, stage.orders)
  if (!found) return
  const [line] = found.items as { id: string }[]
  const items = stage.random.chance(0.5) ? { items: [{ orderLine: line?.id, quantity: 1 }] } : {}
  const answers = await everywhere(stage, [
    "POST",
    "/invoices/from-order",
    { salesOrder: found.id, ...items },
  ])
  stage.invoices.push(...createdBy(answers))
}

/** Asks for deposits on an order on all servers, and pays one of them. */
async function askDeposit(stage: Stage): Promise<void> {
  const found = pickRecent(stage, stage.orders)
  if (!found) return
  const path = `/sales-orders/${found.id}/deposit-invoices`
  const made = createdBy(await everywhere(stage, ["POST", path, { percent: stage.random.pick([20, 40]) }]))
  stage.invoices.push(...made)
  const [first] = made
  if (first) await everywhere(stage, ["POST", `/invoices/${first.id}/payments`, { amount: first.total }])
}

/** Delivers all of an order, or one piece, on all servers. */
async function deliver(stage: Stage): Promise<void> {
  const found = pickRecent(stage, stage.orders)
  if (!found) return
  const [line] = found.items as { id: string }[]
  const items = stage.random.chance(0.5) ? { items: [{ orderLine: line?.id, quantity: 1 }] } : {}
  const body = { salesOrder: found.id, ...items }
  stage.deliveries.push(...createdBy(await everywhere(stage, ["POST", "/deliveries/from-order", body])))
}

/**
 * A deleted payment and a refund raise what a customer owes, and no limit refuses them. So the customer with a limit gets
 * neither: then only orders raise it, and it never exceeds the limit.
 */
const mayOweMore = ({ limited }: Stage, { customer }: Found): boolean => customer !== limited

/** Pays a part of an invoice on all servers: together more than it has. */
async function pay(stage: Stage): Promise<void> {
  const invoice = pickRecent(stage, stage.invoices)
  if (!invoice) return
  const amount = Math.max(0.01, Math.round(Number(invoice.total) * stage.random.pick([34, 60, 100])) / 100)
  const paid = createdBy(await everywhere(stage, ["POST", `/invoices/${invoice.id}/payments`, { amount }]))
  if (paid[0] && mayOweMore(stage, invoice) && stage.random.chance(0.3))
    await everywhere(stage, ["DELETE", `/payments/${paid[0].id}`])
}

async function credit(stage: Stage): Promise<void> {
  const invoice = pickRecent(stage, stage.invoices)
  if (!invoice) return
  const [line] = invoice.items as { id: string }[]
  const items = stage.random.chance(0.5) ? { items: [{ invoiceLine: line?.id, quantity: 1 }] } : {}
  const body = { reason: "Returned", restock: stage.random.chance(0.5), ...items }
  stage.notes.push(
    ...createdBy(await everywhere(stage, ["POST", `/invoices/${invoice.id}/credit-notes`, body])),
  )
}

/** Refunds most of what is left of a credit note on all servers, or uses it for an invoice. */
async function useCredit(stage: Stage): Promise<void> {
  const [note, invoice] = [pickRecent(stage, stage.notes), pickRecent(stage, stage.invoices)]
  if (!note || !invoice) return
  const amount = Math.max(0.01, Math.round(Number(note.total) * 60) / 100)
  await everywhere(
    stage,
    mayOweMore(stage, note) && stage.random.chance(0.5)
      ? ["POST", `/credit-notes/${note.id}/refunds`, { amount }]
      : ["POST", `/credit-notes/${note.id}/applications`, { invoice: invoice.id, amount }],
  )
}

async function cancel(stage: Stage): Promise<void> {
  const [kind, records] = stage.random.pick([
    ["sales-orders", stage.orders],
    ["invoices", stage.invoices],
    ["deliveries", stage.deliveries],
  ] as const)
  const found = pickRecent(stage, records)
  if (found) await everywhere(stage, ["PUT", `/${kind}/${found.id}/status`, { status: "cancelled" }])
}

async function receive(stage: Stage): Promise<void> {
  const body = { item: stage.random.pick(stage.items), quantity: 1, reason: "receipt" }
  await everywhere(stage, ["POST", "/stock-movements", body])
}

const steps = [
  order,
  order,
  order,
  offer,
  bill,
  bill,
  bill,
  deliver,
  deliver,
  askDeposit,
  pay,
  pay,
  pay,
  credit,
  useCredit,
  cancel,
  receive,
]

export const raceOnce = (stage: Stage): Promise<void> => stage.random.pick(steps)(stage)
