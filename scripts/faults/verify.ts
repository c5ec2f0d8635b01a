import { isDeepStrictEqual } from "node:util"
import { forms } from "../../test/support/downloads"
import type { Client, Found } from "./client"
import { importedCode } from "./crash-import"
import { latest, stableFields, type State, type Scenario } from "./scenario"

/** All records of the database by path, as the API returns them, and the hashes of the kept files of documents. */
export type Snapshot = Map<string, Found>

const kinds = [
  "items",
  "customers",
  "sales-orders",
  "deliveries",
  "invoices",
  "credit-notes",
  "quotations",
  "payments",
  "stock-movements",
  "messages",
  "api-keys",
]

export async function snapshotOf(client: Client): Promise<Snapshot> {
  const snapshot: Snapshot = new Map()
  for (const kind of kinds)
    for (const record of await client.all(kind)) {
      const path = `/${kind}/${record.id}`
      if (snapshot.has(path)) throw new Error(`${path} is listed twice.`)
      snapshot.set(path, stableFields(record))
    }
  for (const [path, file] of await filesOf(client)) {
    if (snapshot.has(path)) throw new Error(`${path} is kept twice.`)
    snapshot.set(path, file)
  }
  return snapshot
}

type FileEntry = { recordId: string; changes: Record<string, { to: string }> }

/** The kept files of documents, as the audit log has them. `kontor check` compares them with their bytes. */
async function filesOf(client: Client): Promise<[path: string, file: Found][]> {
  const files: [string, Found][] = []
  for (const kind of ["invoices", "credit-notes"])
    for (const entry of await client.all("audit-logs", `&action=${kind}.paper`)) {
      const { recordId, changes } = entry as unknown as FileEntry
      for (const [form, { to }] of Object.entries(changes)) {
        const path = `/${kind}/${recordId}/${forms[form as keyof typeof forms]}`
        files.push([path, { id: path, sha256: to }])
      }
    }
  return files
}
const isFile = (path: string): boolean => path.split("/").length > 3
/** The file that an issue keeps. No scenario requests it. */
const isOwnFile = (path: string): boolean => path.endsWith(`/${forms["cii-en16931"]}`)

/** Checks that the files of one state of a scenario are served with the same bytes. */
export async function fileProblems(state: State, client: Client): Promise<string[]> {
  const problems: string[] = []
  for (const [path, known] of state) {
    if (!isFile(path) || typeof known === "string") continue
    const { status, body } = await client.download(path)
    if (status !== 200 || body.data.sha256 !== known.sha256) problems.push(`${path} is another file`)
  }
  return problems
}

/**
 * Compares the snapshot with one state of a scenario. Returns one line for each difference. Records of later states
 * must not exist.
 */
export function differences(scenario: Scenario, state: State, snapshot: Snapshot): string[] {
  const problems: string[] = []
  for (const [path, known] of state) {
    if (known === "unread") continue
    const found = snapshot.get(path)
    if (known === "gone") {
      if (found) problems.push(`${path} was deleted but exists`)
    } else if (!found) problems.push(`${path} is missing`)
    else if (!isDeepStrictEqual(found, known)) problems.push(`${path} is ${changed(found, known)}`)
  }
  for (const path of latest(scenario).keys())
    if (!state.has(path) && snapshot.has(path)) problems.push(`${path} exists before it was created`)
  return problems
}

/**
 * Checks that no acknowledged write is missing and no write is partial: the file must have the state after the
 * acknowledged writes, or the complete state after the next one.
 */
export function scenarioProblems(scenario: Scenario, acknowledged: number, snapshot: Snapshot): string[] {
  const problems = differences(scenario, scenario.states[acknowledged] as State, snapshot)
  if (problems.length === 0) return []
  const next = scenario.states[acknowledged + 1]
  if (next && differences(scenario, next, snapshot).length === 0) return []
  return problems.map((problem) => `${scenario.name} after ${acknowledged} writes: ${problem}`)
}

/**
 * Records that no scenario has created: created twice, or never requested. The service itself creates the stock
 * movements of invoices. The items of imports are checked with their import.
 */
export function unexpectedRecords(
  scenarios: readonly Scenario[],
  snapshot: Snapshot,
  shared: string,
): string[] {
  const known = new Set(
    scenarios.flatMap((scenario) => scenario.states.flatMap((state) => [...state.keys()])),
  )
  return [...snapshot]
    .filter(([path, record]) => !known.has(path) && path !== `/items/${shared}` && !record.sourceId)
    .filter(([path, { itemCode }]) => !isOwnFile(path) && !String(itemCode).startsWith(importedCode))
    .map(([path]) => `${path} was never requested`)
}

/**
 * Checks that the numbers of invoices and credit notes run from 1 without a gap, and that the lines of every document
 * add up. `kontor check` does the same.
 */
export function documentProblems(snapshot: Snapshot): string[] {
  const of = (kind: string) =>
    [...snapshot]
      .filter(([path]) => path.startsWith(`/${kind}/`) && !isFile(path))
      .map(([, record]) => record)
  const [invoices, notes] = [of("invoices"), of("credit-notes")]
  const cents = (value: unknown) => Math.round(Number(value) * 100)
  return [
    ...gapsIn(
      "invoice",
      invoices.map(({ invoiceNumber }) => invoiceNumber),
    ),
    ...gapsIn(
      "credit note",
      notes.map(({ creditNoteNumber }) => creditNoteNumber),
    ),
    ...ownFileProblems(snapshot),
    ...[...invoices, ...notes, ...of("sales-orders")].flatMap(({ id, items, subtotal, taxTotal, total }) => {
      const lines = items as { amount: number }[]
      const sum = lines.reduce((all, { amount }) => all + cents(amount), 0)
      const isWhole =
        lines.length > 0 && sum === cents(subtotal) && cents(subtotal) + cents(taxTotal) === cents(total)
      return isWhole ? [] : [`${id} does not add up`]
    }),
  ]
}

/**
 * A document of a complete company is issued with its e-invoice, if all its lines have a tax category. No file is stored
 * without its document.
 */
function ownFileProblems(snapshot: Snapshot): string[] {
  const isComplete = ({ seller, items }: Found) =>
    Boolean((seller as { vatId?: string | null } | null)?.vatId) &&
    (items as { taxCategory: string | null }[]).every(({ taxCategory }) => taxCategory !== null)
  return [...snapshot].flatMap(([path, record]) => {
    if (isFile(path))
      return snapshot.has(path.split("/").slice(0, 3).join("/")) ? [] : [`${path} has no document`]
    const isIssued = /^\/(invoices|credit-notes)\//.test(path) && isComplete(record)
    return isIssued && !snapshot.has(`${path}/${forms["cii-en16931"]}`) ? [`${path} has no e-invoice`] : []
  })
}

function gapsIn(noun: string, numbers: unknown[]): string[] {
  const counters = numbers.map((number) => Number(String(number).split("-")[2])).toSorted((a, b) => a - b)
  return counters.flatMap((number, i) => (number === i + 1 ? [] : [`${noun} number ${i + 1} is ${number}`]))
}

/**
 * Checks that search finds a scenario's records by their current names, that files are unchanged, and that API keys work
 * unless they are revoked.
 */
export async function accessProblems(scenario: Scenario, client: Client): Promise<string[]> {
  const problems = await fileProblems(latest(scenario), client)
  for (const [path, known] of latest(scenario)) {
    const [, kind = "", id = ""] = path.split("/")
    const name =
      known === "gone" || known === "unread"
        ? null
        : (known.itemCode ?? known.name ?? known.creditNoteNumber ?? known.invoiceNumber)
    if (name && ["items", "customers", "invoices", "credit-notes"].includes(kind)) {
      const { body } = await client.call("GET", `/search?types=${kind}&q=${encodeURIComponent(String(name))}`)
      const hits = body.data[kind] as { id: string }[]
      if (!hits.some((hit) => hit.id === id)) problems.push(`search for ${name} does not find ${path}`)
    }
    const secret = scenario.secrets.get(path)
    if (!secret || known === "unread") continue
    const { status } = await fetch(`${client.url}/api/v1/items?perPage=1`, {
      headers: { "x-api-key": secret },
    })
    const isLive = known !== "gone" && known.status !== "revoked" && !known.revokedAt
    if (status !== (isLive ? 200 : 401)) problems.push(`the key ${path} returns ${status}`)
  }
  return problems
}

const changed = (found: Found, known: Found): string =>
  Object.keys({ ...found, ...known })
    .filter((field) => !isDeepStrictEqual(found[field], known[field]))
    .map((field) => `${field} ${JSON.stringify(found[field])} instead of ${JSON.stringify(known[field])}`)
    .join(", ")
