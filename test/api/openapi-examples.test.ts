import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { tagGroups } from "../../src/http/tags"
import { send, signIn, type Api } from "../support/api"
import { cleanUp, emptyFolder, serve, type Kontor } from "../support/kontor"

type Operation = { operationId: string; tags: string[]; "x-codeSamples": { source: string }[] }

/** The business operations in an order in which each can succeed. */
const inOrder = `
  createItem updateItem patchItem getItem listItems listItemHistory
  createCustomer updateCustomer patchCustomer getCustomer listCustomers listCustomerHistory
  createStockMovement getStockMovement listStockMovements
  createSalesOrder duplicateSalesOrder amendSalesOrder updateSalesOrder patchSalesOrder getSalesOrder listSalesOrders
  listSalesOrderHistory printSalesOrder changeSalesOrderStatus
  createInvoiceFromOrder printInvoice addPayment getPayment listPayments removePayment changeInvoiceStatus
  createInvoice updateInvoice patchInvoice getInvoice listInvoices listInvoiceHistory deleteInvoice
  createSalesOrder deleteSalesOrder search getSummary`.match(/\w+/g) as string[]

/** The variable that the samples read, by the operation that creates its record. */
const variableOf: Record<string, string> = {
  createItem: "ITEM",
  createCustomer: "CUSTOMER",
  createStockMovement: "MOVEMENT",
  createSalesOrder: "ORDER",
  duplicateSalesOrder: "ORDER",
  amendSalesOrder: "ORDER",
  createInvoiceFromOrder: "INVOICE",
  createInvoice: "INVOICE",
  addPayment: "PAYMENT",
}

/** These need a record that nothing refers to. */
const deletions = ["deleteItem", "deleteCustomer"]

let kontor: Kontor
let api: Api
let operations: Operation[]
let variables: Record<string, string>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  const { paths } = (await send(`${kontor.url}/docs/openapi.json`)).body
  operations = (Object.values(paths) as object[]).flatMap((methods) => Object.values(methods))
  variables = { KONTOR: `${kontor.url}/api/v1`, TOKEN: api.credential.authorization?.slice(7) ?? "" }
})
afterAll(cleanUp)

/** Runs the sample of an operation in a shell, as a reader would, and returns the status and the body. */
async function runSample(operationId: string) {
  const { "x-codeSamples": samples } = operations.find(
    (each) => each.operationId === operationId,
  ) as Operation
  const command = samples[0]?.source.replace("curl ", "curl -s -w '\n%{http_code}' ") ?? ""
  const env = { ...variables, PATH: process.env.PATH ?? "" }
  const child = Bun.spawn(["sh", "-euc", command], { cwd: emptyFolder(), env, stdout: "pipe" })
  const [, body = "", status = ""] = /^(.*)\n(\d+)$/s.exec(await new Response(child.stdout).text()) ?? []
  return { status: Number(status), body }
}

describe.skipIf(Bun.which("curl") === null)("the samples of the reference", () => {
  test("work in order", async () => {
    for (const operationId of inOrder) {
      const { status, body } = await runSample(operationId)
      expect([operationId, status < 300 ? "success" : status, body]).toEqual([operationId, "success", body])
      const variable = variableOf[operationId]
      if (variable) variables[variable] = JSON.parse(body).data.id
    }
  }, 60_000)

  test("delete records that nothing uses", async () => {
    variables.ITEM = (await api.create("/items", { itemCode: "SPARE", itemName: "Spare part" })).id
    variables.CUSTOMER = (await api.create("/customers", { name: "Nobody" })).id
    for (const operationId of deletions) expect((await runSample(operationId)).status).toBe(204)
  })

  test("cover every operation on business records", () => {
    const business = Object.keys(tagGroups["Business records"] ?? {})
    const covered = [...inOrder, ...deletions]
    for (const { operationId, tags } of operations)
      if (business.includes(tags[0] ?? "")) expect(covered).toContain(operationId)
  })
})
