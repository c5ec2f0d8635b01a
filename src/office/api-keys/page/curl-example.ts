import type { IssuedKey } from "./issued-key"

/** Returns an example request that the scopes of this key allow. */
export function curlExample({ key, scopes }: IssuedKey, origin: string): string {
  const begin = `curl -H 'X-API-Key: ${key}'`
  const at = (path: string) => `'${origin}/api/v1${path}'`
  if (scopes.includes("read")) return `${begin} ${at("/items?perPage=5")}`
  if (scopes.includes("write"))
    return `${begin} -H 'Content-Type: application/json' -d '{"name":"A new customer"}' ${at("/customers")}`
  if (scopes.includes("admin")) return `${begin} ${at("/audit-logs?perPage=5")}`
  return `${begin} -X DELETE ${at("/sales-orders/ID-OF-A-DRAFT")}`
}
