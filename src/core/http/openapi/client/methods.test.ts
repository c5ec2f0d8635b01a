import { expect, test } from "bun:test"
import { methodName } from "./methods"

test.each([
  ["listItems", "Item", "list"],
  ["createItem", "Item", "create"],
  ["listItemHistory", "Item", "history"],
  ["batchItems", "Item", "batch"],
  ["changeSalesOrderStatus", "SalesOrder", "changeStatus"],
  ["createInvoiceFromOrder", "Invoice", "fromOrder"],
  ["listAuditEntries", "AuditEntry", "list"],
  ["getAuditEntry", "AuditEntry", "get"],
  ["listApiKeys", "ApiKey", "list"],
  ["rotateOAuthClient", "OAuthClient", "rotate"],
  ["getSettings", "Settings", "get"],
  ["getSummary", "Reports", "summary"],
  ["search", "Search", "search"],
  ["me", "Auth", "me"],
  ["listGrants", "Auth", "grants"],
])("%s of the records %s is the method %s", (operationId, noun, name) => {
  expect(methodName(operationId, noun)).toBe(name)
})

test("a name that another operation has already keeps its verb", () => {
  expect(methodName("listPaymentsOfInvoice", "Payment")).toBe("ofInvoice")
  expect(methodName("getPaymentOfInvoice", "Payment", ["ofInvoice"])).toBe("getOfInvoice")
})
