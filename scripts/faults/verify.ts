import { isDeepStrictEqual } from "node:util"
import type { Client, Found } from "./client"
import { latest, steady, type State, type Story } from "./story"

/** Every record of the file by its path, as the API shows it. */
export type Snapshot = Map<string, Found>

const kinds = ["items", "customers", "sales-orders", "invoices", "stock-movements", "api-keys"]

export async function snapshotOf(client: Client): Promise<Snapshot> {
  const snapshot: Snapshot = new Map()
  for (const kind of kinds)
    for (const record of await client.all(kind)) {
      const path = `/${kind}/${record.id}`
      if (snapshot.has(path)) throw new Error(`${path} is listed twice.`)
      snapshot.set(path, steady(record))
    }
  return snapshot
}

/** How the snapshot differs from one state of a story, a line each. Nothing may be there that is made only later. */
export function differences(story: Story, state: State, snapshot: Snapshot): string[] {
  const faults: string[] = []
  for (const [path, known] of state) {
    if (known === "unread") continue
    const found = snapshot.get(path)
    if (known === "gone") {
      if (found) faults.push(`${path} was removed and is there`)
    } else if (!found) faults.push(`${path} is missing`)
    else if (!isDeepStrictEqual(found, known)) faults.push(`${path} is ${changed(found, known)}`)
  }
  for (const path of latest(story).keys())
    if (!state.has(path) && snapshot.has(path)) faults.push(`${path} is there too early`)
  return faults
}

/**
 * Nothing acknowledged is missing, and no write is there by half: with `acknowledged` writes told, the file shows
 * the state after them or after the one that was under way, whole.
 */
export function storyFaults(story: Story, acknowledged: number, snapshot: Snapshot): string[] {
  const faults = differences(story, story.states[acknowledged] as State, snapshot)
  if (faults.length === 0) return []
  const next = story.states[acknowledged + 1]
  if (next && differences(story, next, snapshot).length === 0) return []
  return faults.map((fault) => `${story.name} after ${acknowledged} writes: ${fault}`)
}

/** Records that no story knows of: made twice, or never asked for. The service books invoices' stock by itself. */
export function strangers(stories: readonly Story[], snapshot: Snapshot, shared: string): string[] {
  const known = new Set(stories.flatMap((story) => story.states.flatMap((state) => [...state.keys()])))
  return [...snapshot]
    .filter(([path, record]) => !known.has(path) && path !== `/items/${shared}` && !record.sourceType)
    .map(([path]) => `${path} was never asked for`)
}

/** Invoice numbers run from 1 without a gap, and lines add up on every document. `kontor check` says so too. */
export function documentFaults(snapshot: Snapshot): string[] {
  const invoices = [...snapshot].filter(([path]) => path.startsWith("/invoices/")).map(([, record]) => record)
  const orders = [...snapshot]
    .filter(([path]) => path.startsWith("/sales-orders/"))
    .map(([, record]) => record)
  const numbers = invoices
    .map(({ invoiceNumber }) => Number(String(invoiceNumber).split("-")[2]))
    .toSorted((a, b) => a - b)
  const cents = (value: unknown) => Math.round(Number(value) * 100)
  return [
    ...numbers.flatMap((number, i) => (number === i + 1 ? [] : [`invoice number ${i + 1} is ${number}`])),
    ...[...invoices, ...orders].flatMap(({ id, items, subtotal, taxTotal, total }) => {
      const lines = items as { amount: number }[]
      const sum = lines.reduce((all, { amount }) => all + cents(amount), 0)
      const isWhole =
        lines.length > 0 && sum === cents(subtotal) && cents(subtotal) + cents(taxTotal) === cents(total)
      return isWhole ? [] : [`${id} does not add up`]
    }),
  ]
}

/** Search finds a story's records by the names they have, and keys open the door or no longer do. */
export async function accessFaults(story: Story, client: Client): Promise<string[]> {
  const faults: string[] = []
  for (const [path, known] of latest(story)) {
    const [, kind = "", id = ""] = path.split("/")
    const name =
      known === "gone" || known === "unread" ? null : (known.itemCode ?? known.name ?? known.invoiceNumber)
    if (name && ["items", "customers", "invoices"].includes(kind)) {
      const { body } = await client.call("GET", `/search?types=${kind}&q=${encodeURIComponent(String(name))}`)
      const hits = body.data[kind] as { id: string }[]
      if (!hits.some((hit) => hit.id === id)) faults.push(`search for ${name} does not find ${path}`)
    }
    const secret = story.secrets.get(path)
    if (!secret || known === "unread") continue
    const { status } = await fetch(`${client.url}/api/v1/items?perPage=1`, {
      headers: { "x-api-key": secret },
    })
    const isLive = known !== "gone" && known.status !== "revoked" && !known.revokedAt
    if (status !== (isLive ? 200 : 401)) faults.push(`the key ${path} answers ${status}`)
  }
  return faults
}

const changed = (found: Found, known: Found): string =>
  Object.keys({ ...found, ...known })
    .filter((field) => !isDeepStrictEqual(found[field], known[field]))
    .map((field) => `${field} ${JSON.stringify(found[field])} in place of ${JSON.stringify(known[field])}`)
    .join(", ")
