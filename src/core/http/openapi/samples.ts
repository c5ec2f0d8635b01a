import { hasOperator } from "./filter-parameters"
import type { OpenApiDocument } from "./openapi"

type Paths = OpenApiDocument["paths"]
type Operation = Paths[string][string]
type Given = NonNullable<Operation["parameters"]>[number]

/** The shell variable for the ID or another key of a record, by the path segment before it. The guide uses the same variables. */
const variables: Record<string, string> = {
  items: "ITEM",
  "tax-codes": "TAX_CODE",
  customers: "CUSTOMER",
  "sales-orders": "ORDER",
  invoices: "INVOICE",
  payments: "PAYMENT",
  allocations: "ALLOCATION",
  refunds: "REFUND",
  "credit-notes": "CREDIT_NOTE",
  applications: "APPLICATION",
  "stock-movements": "MOVEMENT",
  imports: "IMPORT",
  jobs: "JOB",
  "api-keys": "KEY_ID",
  "oauth-clients": "CLIENT",
  webhooks: "WEBHOOK",
  deliveries: "DELIVERY",
  users: "USER_ID",
  "audit-logs": "ENTRY",
  grants: "GRANT",
  externalId: "EXTERNAL_ID",
  itemCode: "ITEM_CODE",
  code: "CODE",
  customerNumber: "CUSTOMER_NUMBER",
  orderNumber: "ORDER_NUMBER",
  invoiceNumber: "INVOICE_NUMBER",
  creditNoteNumber: "CREDIT_NOTE_NUMBER",
}

/** The shell variable for an example ID in a body, by the prefix of the ID. */
const byPrefix: Record<string, string> = {
  itm: "ITEM",
  tax: "TAX_CODE",
  cus: "CUSTOMER",
  so: "ORDER",
  sol: "LINE",
  inv: "INVOICE",
}

/**
 * Returns the operations as /docs shows them, each with a curl command. Scalar's own commands contain a token in single
 * quotes. These commands use the variables $KONTOR and $TOKEN and variables for IDs, so that they can be run after the
 * samples of the guide. A filter is shown once, and not again with each operator: the lists would be too long to read.
 */
export const withSamples = (paths: Paths) =>
  mapValues(paths, (methods, path) =>
    mapValues(methods, ({ parameters, ...operation }, method) => ({
      ...operation,
      ...(parameters ? { parameters: parameters.filter((each) => !isWithOperator(each)) } : {}),
      "x-codeSamples": [
        { lang: "bash", label: "curl", source: commandOf(method, path, { ...operation, parameters }) },
      ],
    })),
  )

/** True for a filter such as `orderDate[gte]`, or a reference to one. */
const isWithOperator = (parameter: Given): boolean =>
  "$ref" in parameter ? /\.\w+$/.test(parameter.$ref) : hasOperator(parameter.name)

const mapValues = <T, R>(of: Record<string, T>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]))

/** How a sample stores a response of this type, or what a redirect leads to. */
const downloads = {
  "application/vnd.sqlite3": "-o kontor-download.db",
  "application/pdf": "-o kontor-document.pdf",
  "302": "-L -o kontor-document.pdf",
  "image/*": "-o kontor-logo",
  "application/zip": "-o kontor-export.zip",
}

function commandOf(method: string, path: string, operation: Operation): string {
  const place = path
    .replace(/^\/(?!api\/v1)/, "${KONTOR%/api/v1}/")
    .replace("/api/v1/", "$KONTOR/")
    .replaceAll(/([\w-]+)\/\{\w+\}/g, (_, kind: string) => `${kind}/$${variables[kind] ?? "ID"}`)
  const download = Object.entries(downloads).find(([type]) =>
    JSON.stringify(operation.responses).includes(`"${type}"`),
  )?.[1]
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${place}${queryOf(operation)}"`,
    ...credentialOf(operation),
    ...ownParameters(operation)
      .filter(({ name }) => name === "Idempotency-Key")
      .map(() => `-H "Idempotency-Key: ${operation.operationId}-$(date +%s%N)"`),
    ...(download ? [download] : []),
    ...bodyOf(operation.requestBody?.content ?? {}),
  ].join(" \\\n  ")
}

function credentialOf({ security }: Operation): string[] {
  if (security === undefined) return ['-H "Authorization: Bearer $TOKEN"']
  return security.length > 0 ? ['-u "$CLIENT:$CLIENT_SECRET"'] : []
}

function bodyOf(content: Partial<Record<string, { example?: unknown }>>): string[] {
  const body = content["application/json"]?.example
  const form = content["application/x-www-form-urlencoded"]?.example as Record<string, string> | undefined
  if (form) return Object.entries(form).map(([name, value]) => `--data-urlencode "${name}=${value}"`)
  const [file] = Object.keys(content).filter((type) => type.startsWith("image/"))
  if (file) return [`-H 'Content-Type: ${file}'`, `--data-binary @logo.${file.slice("image/".length)}`]
  if (content["text/csv"]) return ["-H 'Content-Type: text/csv'", "--data-binary @items.csv"]
  return body ? ["-H 'Content-Type: application/json'", `-d @- <<JSON\n${written(body)}\nJSON`] : []
}

/** The parameters that are not shared with other operations. */
const ownParameters = ({ parameters = [] }: Operation) => parameters.filter((each) => "name" in each)

/** Returns the query string of the required parameters, with their examples. */
function queryOf(operation: Operation): string {
  const required = ownParameters(operation).filter((each) => each.in === "query" && each.required)
  const sent = required.map(({ name, schema }) => [name, String(schema.examples?.[0] ?? schema.const ?? "")])
  // A variable of the shell must stay as it is.
  return sent.length > 0 ? `?${new URLSearchParams(sent)}`.replaceAll("%24", "$") : ""
}

/** Returns JSON with variables instead of example IDs. The shell expands them, because `<<JSON` is not quoted. */
const written = (body: unknown): string =>
  JSON.stringify(body, null, 2).replaceAll(/"(\w+)_01[0-9a-z]{24}"/g, (id, prefix: string) =>
    byPrefix[prefix] ? `"$${byPrefix[prefix]}"` : id,
  )
