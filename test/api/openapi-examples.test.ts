import { Glob } from "bun"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { operationsOf, type Document, type Operation as Described } from "../../scripts/faults/fuzz-document"
import { isPostgres } from "../support/engine"
import { send, signIn, type Api } from "../support/api"
import { png } from "../support/images"
import { importer } from "../support/imports"
import { cleanUp, emptyFolder, serve, type Kontor } from "../support/kontor"
import { setMail } from "../support/mail"
import { mailServer, stopMailServers } from "../support/mail-server"
import { clientOf, connect } from "../support/oauth"
import { buyer, company } from "../support/downloads"
import { trade } from "../support/trade"
import { until } from "../support/until"
import type { Resource } from "../../src/core/kind/define"
import { shop } from "../../src/kinds"

type Operation = { operationId: string; tags: string[]; "x-codeSamples": { source: string }[] }

/** The business operations in an order in which each can succeed. */
const inOrder = `
  createItem updateItem patchItem getItem listItems listItemHistory
  createCustomer updateCustomer patchCustomer getCustomer listCustomers listCustomerHistory
  findCustomerDuplicates mergeCustomer getCustomerStatement sendCustomerStatement
  createStockMovement countStock getStockMovement listStockMovements
  createQuotation duplicateQuotation updateQuotation patchQuotation getQuotation listQuotations listQuotationHistory
  countQuotationsByValue getQuotationPdf changeQuotationStatus sendQuotation openQuotationPage closeQuotationPage
  orderQuotation createQuotation deleteQuotation
  createSalesOrder duplicateSalesOrder amendSalesOrder updateSalesOrder patchSalesOrder getSalesOrder listSalesOrders
  listSalesOrderHistory printSalesOrder getSalesOrderPdf checkSalesOrderEInvoice changeSalesOrderStatus
  sendSalesOrder requestDeposit createDeliveryFromOrder getDelivery listDeliveries listDeliveryHistory updateDelivery patchDelivery
  getDeliveryPdf sendDelivery countDeliveriesByValue changeDeliveryStatus createInvoiceFromOrder sendInvoice retryMessage cancelMessage getMessage listMessages listMessageHistory printInvoice getInvoicePdf checkInvoiceEInvoice
  remindOfInvoice getReminder listReminders listReminderHistory updateReminder patchReminder getReminderPdf sendReminder
  createRecurringInvoice updateRecurringInvoice patchRecurringInvoice getRecurringInvoice listRecurringInvoices
  listRecurringInvoiceHistory countRecurringInvoicesByValue changeRecurringInvoiceStatus deleteRecurringInvoice
  runReminders countRemindersByValue addPayment getPaymentOfInvoice
  listPaymentsOfInvoice removePayment writeOffInvoice getWriteOff listWriteOffs voidWriteOff
  duplicateInvoice changeInvoiceStatus
  createInvoice updateInvoice patchInvoice getInvoice listInvoices listInvoiceHistory deleteInvoice
  countItemsByValue countCustomersByValue countStockMovementsByValue countSalesOrdersByValue
  countInvoicesByValue countCreditNotesByValue countPaymentsByValue
  createSalesOrder deleteSalesOrder search getSummary`.match(/\w+/g) as string[]

/** The operations of payments and credit notes, which need invoices, in such an order. */
const ofMoney = `
  createPayment updatePayment patchPayment allocatePayment getPayment listPayments listPaymentHistory voidAllocation
  refundPayment voidPaymentRefund deletePayment
  creditInvoice getCreditNote updateCreditNote patchCreditNote listCreditNotes listCreditNoteHistory printCreditNote
  getCreditNotePdf checkCreditNoteEInvoice sendCreditNote
  refundCreditNote voidCreditNoteRefund applyCreditNote voidApplication`.match(/\w+/g) as string[]

/** The operations that need documents with all that an e-invoice must have. */
const ofEInvoices = ["getInvoiceXml", "getCreditNoteXml"]

/** The operations of jobs, while another job runs. */
const ofJobs = [
  "repriceItems",
  "getJob",
  "cancelJob",
  "createImport",
  "getImport",
  "getImportFaults",
  "listImports",
  "cancelImport",
]
/** This needs an import that has ended. */
const ofUndo = ["undoImport"]

/** Those of a job that has ended. */
const afterJobs = ["undoReprice"]

/** The operations by other keys than the ID, and many at once. */
const byKey = `
  getItemByItemCode putItemByItemCode getItemByBarcode putItemByBarcode getItemByExternalId putItemByExternalId
  batchItems
  getCustomerByCustomerNumber putCustomerByCustomerNumber getCustomerByExternalId putCustomerByExternalId batchCustomers
  getQuotationByQuotationNumber putQuotationByQuotationNumber getQuotationByExternalId putQuotationByExternalId
  batchQuotations
  getSalesOrderByOrderNumber putSalesOrderByOrderNumber getSalesOrderByExternalId putSalesOrderByExternalId
  batchSalesOrders
  getInvoiceByInvoiceNumber putInvoiceByInvoiceNumber getInvoiceByExternalId putInvoiceByExternalId
  batchInvoices
  getCreditNoteByCreditNoteNumber getCreditNoteByExternalId getPaymentByExternalId putPaymentByExternalId batchPayments
  getStockMovementByExternalId batchStockMovements
  getDeliveryByDeliveryNumber getDeliveryByExternalId batchDeliveries
  getReminderByReminderNumber getReminderByExternalId batchReminders
  putRecurringInvoiceByExternalId getRecurringInvoiceByExternalId batchRecurringInvoices
  getMessageByExternalId sendInvoiceByKey
  patchCustomerByCustomerNumber getCustomerStatementByKey getInvoicePdfByKey listItemHistoryByKey duplicateSalesOrderByKey`.match(
  /\w+/g,
) as string[]

/** The other operations, except those that end a session, in such an order. */
const otherInOrder = `
  login refresh me listGrants getSettings updateSettings patchSettings listNumberSeries listFactors listSessions addFactor removeFactor getPasskeyOptions getSignInOptions testMail getMailStatus resumeMail putLogo getLogo deleteLogo
  listAuditEntries getAuditEntry
  createUser updateUser patchUser getUser listUsers listUserHistory
  createApiKey updateApiKey patchApiKey getApiKey listApiKeys getApiKeyUsage listApiKeyHistory rotateApiKey deleteApiKey
  createOAuthClient updateOAuthClient patchOAuthClient getOAuthClient listOAuthClients listOAuthClientHistory
  rotateOAuthClient
  createWebhook updateWebhook patchWebhook getWebhook listWebhooks listWebhookHistory rotateWebhook getWebhookStatus
  resumeWebhooks replayWebhook testWebhook listWebhookDeliveries redeliverWebhook deleteWebhook
  createView updateView patchView getView listViews exportViews deleteView
  getOAuthMetadata authorize getBackupFiles createBackup
  exportItems exportCustomers exportQuotations exportSalesOrders exportDeliveries exportInvoices exportCreditNotes exportPayments exportReminders exportRecurringInvoices exportMessages
  listEvents exportStockMovements exportUsers exportApiKeys exportOAuthClients exportWebhooks exportAuditEntries exportEverything`.match(
  /\w+/g,
) as string[]

/** The operations that need an app which a person has allowed to act for them. */
const ofApps = ["introspectToken", "getToken", "revokeToken", "withdrawGrant"]

/** The operations that need a new session each. */
const ofSessions = ["logout", "logoutAll", "changePassword"]

/** A sample has no code of an app and no answer of a device. test/api/factors.test.ts has them. */
const ofFactors = ["confirmFactor", "addPasskey", "signInWithPasskey", "renewRecoveryCodes"]

/** The server of this test has an admin already, and nobody gets the link to set a new password. */
const impossible = ["setUp", "forgotPassword", "resetPassword", "endSession", ...ofFactors]

/** The variable that the samples read, by the operation that creates its record. */
const variableOf: Record<string, string> = {
  createItem: "ITEM",
  createCustomer: "CUSTOMER",
  createStockMovement: "MOVEMENT",
  createQuotation: "QUOTATION",
  duplicateQuotation: "QUOTATION",
  createSalesOrder: "ORDER",
  duplicateSalesOrder: "ORDER",
  amendSalesOrder: "ORDER",
  createDeliveryFromOrder: "DELIVERY",
  requestDeposit: "INVOICE",
  createInvoiceFromOrder: "INVOICE",
  createInvoice: "INVOICE",
  sendInvoice: "MESSAGE",
  remindOfInvoice: "REMINDER",
  createRecurringInvoice: "RECURRING",
  addPayment: "PAYMENT",
  writeOffInvoice: "WRITE_OFF",
  createPayment: "PAYMENT",
  allocatePayment: "ALLOCATION",
  refundPayment: "REFUND",
  creditInvoice: "CREDIT_NOTE",
  refundCreditNote: "REFUND",
  applyCreditNote: "APPLICATION",
  createUser: "USER_ID",
  createApiKey: "KEY_ID",
  createOAuthClient: "CLIENT",
  createWebhook: "WEBHOOK",
  createView: "VIEW",
  addFactor: "FACTOR",
  testWebhook: "DELIVERY",
  repriceItems: "JOB",
  createImport: "IMPORT",
}

/** Those with a key in place of the id, whose samples are the same otherwise: some of them are listed. */
const withKey =
  /By(Key|ItemCode|Barcode|ExternalId|(Quotation|Order|Delivery|Invoice|CreditNote|Customer|Reminder)Number)$/

/** These need a record that nothing refers to. */
const deletions = ["deleteItem", "deleteCustomer", "deleteOAuthClient"]

/** All operations that are named here. */
const listed = [
  ...inOrder,
  ...ofMoney,
  ...ofEInvoices,
  ...ofJobs,
  ...afterJobs,
  ...ofUndo,
  ...byKey,
  ...otherInOrder,
  ...deletions,
  ...ofApps,
  ...ofSessions,
  ...impossible,
]

let kontor: Kontor
let api: Api
let operations: Operation[]
let described: Map<string, Described>
let variables: Record<string, string>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  const { paths } = (await send(`${kontor.url}/docs/openapi.json`)).body
  operations = (Object.values(paths) as object[]).flatMap((methods) => Object.values(methods))
  const document: Document = (await send(`${kontor.url}/openapi.json`)).body
  described = new Map(operationsOf(document).map((each) => [each.id, each]))
  // The second message waits for a minute, so that it can be cancelled.
  await setMail(api, (await mailServer()).port, { perMinute: 1 })
  await api.put("/settings", { publicPages: true })
  variables = { KONTOR: `${kontor.url}/api/v1`, TOKEN: api.credential.authorization?.slice(7) ?? "" }
})
afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

const itemsFile = (rows: number) =>
  `itemCode,itemName\n${Array.from({ length: rows }, (_, i) => `MANY-${i},Thing`).join("\n")}\n`

/** Runs the sample of an operation in a shell, as a reader would, and returns the status, the body and its type. */
async function runSample(operationId: string, isDry = false) {
  const { "x-codeSamples": samples } = operations.find(
    (each) => each.operationId === operationId,
  ) as Operation
  const command = (samples[0]?.source ?? "")
    .replace("curl ", "curl -s -w '\n%{http_code} %{content_type}' ")
    .replace(/"(\$KONTOR[^"?]*)(\??)([^"]*)"/, isDry ? '"$1?dryRun=true&$3"' : "$&")
  const env = { ...variables, PATH: process.env.PATH ?? "" }
  const cwd = emptyFolder()
  if (command.includes("@logo.png")) writeFileSync(join(cwd, "logo.png"), png())
  // So many that the import has not ended when it is cancelled.
  if (command.includes("@items.csv")) writeFileSync(join(cwd, "items.csv"), itemsFile(isDry ? 2 : 20_000))
  const child = Bun.spawn(["sh", "-euc", command], { cwd, env, stdout: "pipe" })
  const said = await new Response(child.stdout).text()
  const [, body = "", status = "", type = ""] = /^(.*)\n(\d+) (.*)$/s.exec(said) ?? []
  return { status: Number(status), body, type: type.split(";")[0] ?? "" }
}

/**
 * Runs the sample of an operation. The test fails if it does not succeed, or if the response is not what the document says
 * of exactly this response: status, content type and schema.
 */
async function runTrue(operationId: string, isDry = false): Promise<string> {
  const { status, body, type } = await runSample(operationId, isDry)
  expect([operationId, isDry, status >= 200 && status < 300 ? "success" : status, body]).toEqual([
    operationId,
    isDry,
    "success",
    body,
  ])
  const promised = described.get(operationId)?.answers
  // The responses of OAuth follow RFCs, and a sample follows a redirect.
  if (!promised || promised.has(302)) return body
  const answer = promised.get(status)
  const isOfType =
    answer?.type === null ? type === "" : answer?.types.some((each) => new Glob(each).match(type))
  const problem =
    type === "application/json" ? answer?.problemOf(JSON.parse(body), isDry ? "dryRun" : "whole") : null
  expect([operationId, isDry, status, isOfType || type, problem]).toEqual([
    operationId,
    isDry,
    status,
    true,
    null,
  ])
  return body
}

const canTry = (operationId: string): boolean =>
  described.get(operationId)?.parameters.some(({ name }) => name === "dryRun") ?? false

/** Runs samples in order, each that can be tried first as a dry run. */
async function runSamples(ids: readonly string[]) {
  for (const operationId of ids) {
    // A PostgreSQL database has no backups.
    if (isPostgres && ["getBackupFiles", "createBackup"].includes(operationId)) continue
    if (canTry(operationId)) await runTrue(operationId, true)
    const body = await runTrue(operationId)
    const variable = variableOf[operationId]
    if (variable) variables[variable] = JSON.parse(body).data.id
    if (operationId === "login") {
      const { token, refreshToken } = JSON.parse(body).data
      Object.assign(variables, { TOKEN: token, REFRESH: refreshToken })
    }
    if (operationId === "listAuditEntries") variables.ENTRY = JSON.parse(body).data[0].id
  }
}

/** The operations of the kinds of which none is named here, by the name of the kind. */
function byKind(): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const {
    operationId,
    tags: [tag = ""],
  } of operations)
    if (Object.values(shop).some(({ kind }) => kind.name === tag)) (found[tag] ??= []).push(operationId)
  return Object.fromEntries(Object.entries(found).filter(([, ids]) => !ids.some((id) => listed.includes(id))))
}

/**
 * Creates a record, runs the other samples of its kind in the order of the document, and deletes a record by its id and by
 * each of its keys. Other kinds then find the variables as they were.
 */
async function runKind(name: string, ids: readonly string[]) {
  const { kind } = Object.values(shop).find(({ kind }) => kind.name === name) as { kind: Resource }
  const creation = `create${kind.title}`
  const isDeletion = (id: string) => id.startsWith(`delete${kind.title}`)
  const before = { ...variables }
  await runTrue(creation, true)
  await fillVariables(kind, await runTrue(creation))
  await runSamples(ids.filter((id) => id !== creation && !isDeletion(id)))
  for (const id of ids.filter(isDeletion)) {
    // A document cannot be deleted after a change of its status.
    const fresh = await runSample(creation)
    if (fresh.status === 201) await fillVariables(kind, fresh.body)
    await runTrue(id, true)
    expect([id, (await runSample(id)).status]).toEqual([id, 204])
  }
  variables = before
}

/** Gives a new record an external id, and sets the variables of the samples to its values. */
async function fillVariables({ name, title, variable, fields }: Resource, created: string) {
  const { id } = JSON.parse(created).data
  const { body } = await api.patch(`/${name}/${id}`, fields.externalId ? { externalId: `of-${id}` } : {})
  for (const [field, value] of Object.entries(body.data))
    if (typeof value === "string") variables[constant(field)] = value
  variables[variable ?? constant(title)] = id
}

/** Creates a tax code for the samples of documents, and returns its id. */
const taxCode = async (code: string): Promise<string> =>
  (await api.create("/tax-codes", { code, name: "Own code", category: "S", rate: 19 })).id

/** externalId → EXTERNAL_ID. */
const constant = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()

describe.skipIf(Bun.which("curl") === null)("the samples of the reference", () => {
  test("work in order", async () => {
    variables.FROM = (await api.create("/customers", { name: "Doubled" })).id
    variables.TAX_CODE = await taxCode("OWN1")
    await runSamples(inOrder)
    await runSamples(otherInOrder)
  })

  test("of payments and credit notes work in order", async () => {
    const shop = trade(api)
    const customer = (await shop.customer()).id
    const items = [{ item: (await shop.item()).id, quantity: 10 }]
    const other = await shop.invoice({ customer, items })
    variables.CUSTOMER = customer
    await runSamples(["createPayment"])
    // The payment is larger than the invoice, and its rest is for the next one.
    variables.INVOICE = (await shop.invoice({ customer, items })).id
    await runSamples(ofMoney.slice(1, ofMoney.indexOf("creditInvoice")))
    await shop.pay(other.id, 100)
    variables.INVOICE = other.id
    await runSamples(ofMoney.slice(ofMoney.indexOf("creditInvoice"), ofMoney.indexOf("applyCreditNote")))
    variables.INVOICE = (await shop.invoice({ customer, items })).id
    await runSamples(ofMoney.slice(ofMoney.indexOf("applyCreditNote")))
  })

  test("of e-invoices work for documents with all that they must have", async () => {
    const { currency: _, ...known } = company
    expect((await api.put("/settings", known)).status).toBe(200)
    const shop = trade(api)
    const items = [{ item: (await shop.item({ taxRate: 19 })).id, quantity: 1 }]
    const { id } = await shop.invoice({ customer: (await shop.customer(buyer)).id, items })
    variables.INVOICE = id
    variables.CREDIT_NOTE = (await api.create(`/invoices/${id}/credit-notes`, { reason: "Returned" })).id
    await runSamples(ofEInvoices)
  })

  test("of jobs work while another job runs", async () => {
    const operations = Array.from({ length: 1_000 }, (_, i) => ({
      op: "create",
      body: { itemCode: `JOB-${i}`, itemName: "Many", sellingPrice: 10 },
    }))
    await api.post("/items/batch", { mode: "each", operations })
    await api.post("/items/reprice", { filter: {}, change: { percent: 10 } })
    await runSamples(ofJobs)
    const { body } = await api.post("/items/reprice", {
      filter: { itemCode: "JOB-1" },
      change: { percent: 10 },
    })
    variables["REPRICE"] = body.data.id
    const jobOf = async () => (await api.get(`/jobs/${body.data.id}`)).body.data
    await until(async () => (await jobOf()).finishedAt !== null)
    await runSamples(afterJobs)
  })

  test("undo an import that has ended", async () => {
    const { id } = await importer(api).run("kind=items", "itemCode,itemName\nUNDO-1,x\n")
    variables.IMPORT = id
    await runSamples(ofUndo)
  })

  test("find records by their codes, numbers and external ids", async () => {
    const shop = trade(api)
    const externalId = "shop-1042"
    const order = await shop.submitted()
    const delivery = await api.create("/deliveries/from-order", { salesOrder: order.id, externalId })
    const invoice = (await shop.bill(order.id, { externalId })).body.data
    for (const path of [
      `sales-orders/${order.id}`,
      `customers/${order.customer}`,
      `items/${order.items[0].item}`,
    ])
      expect((await api.put(`/${path}`, { externalId })).status).toBe(200)
    const reminder = await api.create(`/invoices/${invoice.id}/reminders`, { override: true, externalId })
    const note = await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Returned", externalId })
    await api.create("/payments", { customer: order.customer, amount: 5, externalId })
    await api.post(`/invoices/${invoice.id}/send`, { to: "office@example.com", externalId })
    const template = { every: { unit: "month" }, startsOn: "2040-01-01", externalId }
    const lines = [{ description: "Hosting", quantity: 1, rate: 5 }]
    await api.create("/recurring-invoices", { ...template, customer: order.customer, items: lines })
    const quotation = await api.create("/quotations", { customer: order.customer, items: lines, externalId })
    const item = order.items[0].item
    await api.create("/stock-movements", { item, quantity: 5, reason: "receipt", externalId })
    variables.ITEM = item
    Object.assign(variables, {
      EXTERNAL_ID: externalId,
      ITEM_CODE: order.items[0].itemCode,
      BARCODE: "4006381333931",
      CUSTOMER_NUMBER: (await shop.get("customers", order.customer)).customerNumber,
      ORDER_NUMBER: order.orderNumber,
      DELIVERY_NUMBER: delivery.deliveryNumber,
      INVOICE_NUMBER: invoice.invoiceNumber,
      QUOTATION_NUMBER: quotation.quotationNumber,
      REMINDER_NUMBER: reminder.reminderNumber,
      CREDIT_NOTE_NUMBER: note.creditNoteNumber,
    })
    await api.put(`/items/${order.items[0].item}`, { barcode: "4006381333931" })
    await runSamples(byKey)
  })

  test("delete records that nothing uses", async () => {
    variables.ITEM = (await api.create("/items", { itemCode: "SPARE", itemName: "Spare part" })).id
    variables.CUSTOMER = (await api.create("/customers", { name: "Nobody" })).id
    await runSamples(deletions)
  })

  test("of kinds that need no order of their own work", async () => {
    const shop = trade(api)
    Object.assign(variables, {
      CUSTOMER: (await shop.customer()).id,
      ITEM: (await shop.item()).id,
      TAX_CODE: await taxCode("OWN2"),
    })
    expect(Object.keys(byKind())).toContain("tax-codes")
    for (const [kind, ids] of Object.entries(byKind())) await runKind(kind, ids)
  })

  test("of OAuth work for an app that a person has allowed", async () => {
    const client = await clientOf(api)
    const { access_token, refresh_token } = (await connect(kontor, client)).tokens
    const [grant] = (await api.get("/auth/grants")).body.data
    Object.assign(variables, {
      CLIENT: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      ACCESS_TOKEN: access_token,
      REFRESH_TOKEN: refresh_token,
      GRANT: grant.id,
    })
    await runSamples(ofApps)
  })

  test("of sessions work with a new session each", async () => {
    for (const operationId of ofSessions) await runSamples(["login", operationId])
  })

  test("cover every operation", () => {
    const covered = [...listed, ...Object.values(byKind()).flat()]
    for (const { operationId } of operations)
      if (!covered.includes(operationId)) expect(covered).toContain(operationId.replace(withKey, ""))
  })

  test("send an own Idempotency-Key with each POST that accepts one", () => {
    const sources = operations.map((each) => each["x-codeSamples"][0]?.source ?? "")
    const keys = sources.flatMap((source) => /Idempotency-Key: (\w+)-/.exec(source)?.[1] ?? [])
    expect(keys.length).toBeGreaterThan(10)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
