import { afterAll, expect, test } from "bun:test"
import fc from "fast-check"
import { apiBy, signIn, type Answer, type Api } from "../support/api"
import { feedOf, type FeedEvent } from "../support/events"
import { cleanUp, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { otherSteps } from "../support/other-steps"
import { makeCodes, makeCustomers, makeItems } from "../support/shop-makers"
import type { Tax } from "../support/shop-model"
import { story } from "../support/shop-steps"
import { emptyModel, readable, type Real, type Step } from "../support/shop-story"
import { trade } from "../support/trade"
import { shop } from "../../src/kinds"

/**
 * Random operations of all kinds. After each of them, the records before and after it tell which events the feed must
 * have: exactly one for each record that is new, changed or gone, and none for all others.
 */
const kontor = await serve()
const api = await signIn(kontor)
const feed = feedOf(api)
afterAll(cleanUp)

const kinds = Object.values(shop).map(({ kind }) => kind.name)
type Shown = Record<string, unknown> & { id: string; version?: number; createdAt: string; updatedAt?: string }
type Records = Map<string, Shown>

/** All records of the business, by kind and id. */
async function readRecords(): Promise<Records> {
  const records: Records = new Map()
  for (const kind of kinds)
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { data, meta } = (await api.get(`/${kind}?perPage=100&page=${page}`)).body
      for (const record of data) records.set(`${kind} ${record.id}`, record)
      pages = meta.totalPages
    }
  return records
}

/** What follows from other fields of the record is not listed in `changed`. */
const computed = [
  "availableStock",
  "isLowStock",
  "creditAvailable",
  "isOverdue",
  "allowedTransitions",
  "seller",
]
const computedStatus = ["items", "customers", "credit-notes"]

function changedFields(kind: string, before: Shown, after: Shown): string[] {
  const ignored = ["version", "updatedAt", ...computed, ...(computedStatus.includes(kind) ? ["status"] : [])]
  const names = Object.keys(after).filter((name) => !ignored.includes(name))
  return names.filter((name) => !Bun.deepEquals(before[name], after[name])).toSorted()
}

type Expected = Pick<FeedEvent, "type" | "recordId" | "changed"> & Partial<Pick<FeedEvent, "version" | "at">>

/** The event that a record must have; null if it is the same as before. */
function expectedOf(key: string, before: Shown | undefined, after: Shown | undefined): Expected | null {
  if (before && after && Bun.deepEquals(before, after)) return null
  const [kind = "", recordId = ""] = key.split(" ")
  const type = `${kind}.${!before ? "created" : after ? "updated" : "deleted"}`
  const changed = before && after ? changedFields(kind, before, after) : []
  const state = after && { version: after.version ?? null, at: after.updatedAt ?? after.createdAt }
  return { type, recordId, changed, ...state }
}

const isStored = ({ type }: FeedEvent): boolean => /\.(created|updated|deleted)$/.test(type)
const sorted = (list: Expected[]): Expected[] =>
  list.toSorted((a, b) => `${a.type} ${a.recordId}`.localeCompare(`${b.type} ${b.recordId}`))

function compareEvents(title: string, events: FeedEvent[], before: Records, after: Records): void {
  const keys = new Set([...before.keys(), ...after.keys()])
  const expected = [...keys].flatMap((key) => expectedOf(key, before.get(key), after.get(key)) ?? [])
  const got = events.filter(isStored).map(({ type, recordId, changed, version, at }): Expected => {
    const state = type.endsWith(".deleted") ? {} : { version, at }
    return { type, recordId, changed: changed.toSorted(), ...state }
  })
  expect({ title, events: sorted(got) }).toEqual({ title, events: sorted(expected) })
}

/** Waits for the end of the job that a request has begun. */
async function jobEnds({ status, body }: Answer): Promise<void> {
  const id: string | null = status === 202 ? body.data.id : null
  const path = id && `/${id.startsWith("imp") ? "imports" : "jobs"}/${id}`
  while (path && (await api.get(path)).body.data.finishedAt === null) await Bun.sleep(10)
}

/** A client that compares the events of each of its writes with the records. */
async function comparing(): Promise<Api> {
  let [records, position] = [await readRecords(), await feed.latest()]
  return apiBy(api.credential, async (method, path, body, headers) => {
    const answer = await api.call(method, path, body, headers)
    if (method === "GET") return answer
    await jobEnds(answer)
    const [after, { events, next }] = [await readRecords(), await feed.readAll(position)]
    compareEvents(`${method} ${path} ${JSON.stringify(body)}: ${answer.status}`, events, records, after)
    ;[records, position] = [after, next]
    return answer
  })
}

/** Those of the shop keep their order. */
const mixed = fc
  .tuple(story, fc.array(fc.oneof(...otherSteps), { minLength: 15, maxLength: 25 }))
  .map(([shop, others]): Step[] =>
    readable(
      [...shop, ...others].flatMap((_, i) => [shop[i], others[i]].filter((each) => each !== undefined)),
    ),
  )

test("every record that an operation changes has exactly one event of it, and no other record has one", async () => {
  const codes = await makeCodes(api)
  const freeTax = codes.at(-1) as Tax
  await fc.assert(
    fc.asyncProperty(mixed, async (steps) => {
      await api.put("/settings", {
        lockedUntil: null,
        correctBy: "cancel",
        invoiceFrom: "ordered",
        defaultTaxCode: freeTax.code,
      })
      const [items, customers] = await Promise.all([makeItems(trade(api), codes), makeCustomers(trade(api))])
      const checked = await comparing()
      const real: Real = { shop: trade(checked), api: checked, items, customers, codes, freeTax }
      const model = emptyModel()
      for (const { run, at } of steps) await run(model, real, at)
    }),
    { numRuns: Math.ceil(Number(process.env.KONTOR_STORIES ?? (isLong ? 40 : 15)) / 5), endOnFailure: true },
  )
})
