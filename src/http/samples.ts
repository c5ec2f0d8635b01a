import type { OpenApiDocument } from "./openapi"

type Paths = OpenApiDocument["paths"]
type Operation = Paths[string][string]

/** The shell variable for the ID of a record, by the path segment before the ID. The guide uses the same variables. */
const variables: Record<string, string> = {
  items: "ITEM",
  customers: "CUSTOMER",
  "sales-orders": "ORDER",
  invoices: "INVOICE",
  payments: "PAYMENT",
  "stock-movements": "MOVEMENT",
  "api-keys": "KEY_ID",
  "oauth-clients": "CLIENT",
  users: "USER_ID",
  "audit-logs": "ENTRY",
  grants: "GRANT",
}

/** The shell variable for an example ID in a body, by the prefix of the ID. */
const byPrefix: Record<string, string> = { itm: "ITEM", cus: "CUSTOMER", so: "ORDER", sol: "LINE" }

/**
 * Returns the operations as /docs shows them, each with a curl command. Scalar's own commands contain a token in single
 * quotes. These commands use the variables $KONTOR and $TOKEN and variables for IDs, so that they can be run after the
 * samples of the guide.
 */
export const withSamples = (paths: Paths) =>
  mapValues(paths, (methods, path) =>
    mapValues(methods, (operation, method) => ({
      ...operation,
      // Scalar would show the same sentence twice.
      description: operation.description === operation.summary ? undefined : operation.description,
      "x-codeSamples": [{ lang: "bash", label: "curl", source: commandOf(method, path, operation) }],
    })),
  )

const mapValues = <T, R>(of: Record<string, T>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]))

function commandOf(method: string, path: string, operation: Operation): string {
  const place = path
    .replace("/api/v1", "$KONTOR")
    .replaceAll(/([\w-]+)\/\{\w+\}/g, (_, kind: string) => `${kind}/$${variables[kind] ?? "ID"}`)
  const body = operation.requestBody?.content["application/json"].example
  const isFile = JSON.stringify(operation.responses).includes('"application/vnd.sqlite3"')
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${place}${queryOf(operation)}"`,
    ...(operation.security ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(isFile ? ["-o kontor-download.db"] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d @- <<JSON\n${written(body)}\nJSON`] : []),
  ].join(" \\\n  ")
}

/** Returns the query string of the required parameters, with their examples. */
function queryOf({ parameters = [] }: Operation): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required)
  const sent = required.map(({ name, schema }) => [name, String(schema.examples?.[0] ?? "")])
  return sent.length > 0 ? `?${new URLSearchParams(sent)}` : ""
}

/** Returns JSON with variables instead of example IDs. The shell expands them, because `<<JSON` is not quoted. */
const written = (body: unknown): string =>
  JSON.stringify(body, null, 2).replaceAll(/"(\w+)_01[0-9a-z]{24}"/g, (id, prefix: string) =>
    byPrefix[prefix] ? `"$${byPrefix[prefix]}"` : id,
  )
