// Requests per second compared with the baselines on the same data: rounds are interleaved, every other one reversed.
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { show, type Line } from "./bars"
import { categories, customerId, type Size } from "./data"
import { median, startServer, type Server } from "./server"
import { load, scriptOf, type Result, type Side } from "./wrk"
import { startDirectus } from "./baselines/directus"
import { startPocketBase } from "./baselines/pocketbase"
import { startFastify, startRaw, type Baseline } from "./baselines/start"

const rounds = 7

/** One comparison: the requests to each server, and the minimum ratios of Kontor to the others. */
type Comparison = {
  work: RateName
  sides: Record<string, { side: Side; script: string }>
  bars: Record<string, number>
}

/** The operations that are compared. */
export const rateNames = [
  "get, signed in",
  "get, by API key",
  "list of 20 with filter and total",
  "list of 20 by cursor",
  "create an item",
  "create an order of 5 lines",
] as const
type RateName = (typeof rateNames)[number]

/** The operations to run, and the baselines to skip. */
export type Choice = { only: readonly RateName[]; without: readonly string[] }

export async function measureRates(
  folder: string,
  shop: string,
  size: Size,
  { only, without }: Choice,
): Promise<{ lines: Line[]; skippedBaselines: string[] }> {
  const copy = (name: string) => {
    copyFileSync(shop, join(folder, `${name}.db`))
    return join(folder, `${name}.db`)
  }
  const kontor = await startServer(copy("kontor"))
  const raw = await startRaw(copy("raw"))
  const others: Record<string, Baseline> = {}
  const skipped: string[] = []
  for (const [name, begin] of Object.entries({
    fastify: () => startFastify(copy("fastify")),
    directus: () => startDirectus(shop, folder),
    pocketbase: () => startPocketBase(shop, folder),
  })) {
    if (without.includes(name)) continue
    const baseline = await begin()
    if (typeof baseline !== "string") others[name] = baseline
    else {
      console.log(baseline)
      skipped.push(baseline)
    }
  }

  const lines: Line[] = []
  for (const comparison of await comparisons(folder, size, { kontor, raw, others }))
    if (only.includes(comparison.work)) lines.push(...(await run(comparison)))
  for (const side of [kontor, raw, ...Object.values(others)]) await side.stop()
  return { lines, skippedBaselines: skipped }
}

async function run({ work, sides, bars }: Comparison): Promise<Line[]> {
  const names = Object.keys(sides)
  const results: Record<string, Result[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { side, script } = sides[name] ?? fail(name)
      results[name]?.push(await load(side, script))
    }
  const of = (name: string, key: keyof Result) => median((results[name] ?? []).map((result) => result[key]))
  const figures = (name: string) =>
    `${name} ${Math.round(of(name, "rate"))}/s ${Math.round(of(name, "cpu"))} µs`
  return Object.entries(bars)
    .filter(([name]) => name in sides)
    .map(([name, atLeast]) => {
      const ratios = (results["kontor"] ?? []).map(({ rate }, i) => rate / (results[name]?.[i]?.rate ?? NaN))
      return show({
        work: `${work} ÷ ${name}`,
        value: median(ratios),
        atLeast,
        note: `${figures("kontor")}, ${figures(name)} of CPU`,
      })
    })
}

type Servers = { kontor: Server; raw: Side; others: Record<string, Baseline> }

async function comparisons(
  folder: string,
  size: Size,
  { kontor, raw, others }: Servers,
): Promise<Comparison[]> {
  const key = await makeKey(kontor)
  const anyItem = `string.format("itm_%026d", random(${size.items}))`
  const anyCategory = `({${categories.map((name) => `"${name}"`).join(",")}})[random(20)]`
  const get = (path: string) => `return wrk.format("GET", ${path})`
  const post = (path: string, body: string) => `return wrk.format("POST", "${path}", nil, ${body})`
  const newItem = `'{"itemCode":"B-' .. unique() .. '","itemName":"Bench item","sellingPrice":12.5}'`
  const line = `'{"quantity":2,"item":"' .. ${anyItem} .. '"}'`
  const newOrder = `'{"customer":"' .. string.format("${customerId(0).slice(0, 4)}%026d", random(${size.customers})) .. '","items":[' .. ${Array.from({ length: 5 }, () => line).join(" .. ',' .. ")} .. ']}'`
  const { cursor, at, id } = await middleOf(kontor, size)

  const script = (lua: string, headers: Record<string, string> = {}) => scriptOf(folder, { lua, headers })
  const ours = (lua: string, headers = kontor.headers) => ({ side: kontor, script: script(lua, headers) })
  const bare = (lua: string) => ({ side: raw, script: script(lua) })
  /** The same requests in the API of each baseline. */
  const baselineRequests = (work: "get" | "list" | "create") =>
    Object.fromEntries(
      Object.entries(others).map(([name, side]) => {
        const { lua, headers } = apis[name]?.(work) ?? fail(name)
        return [name, { side, script: script(lua, headers) }]
      }),
    )
  const apis: Record<
    string,
    (work: "get" | "list" | "create") => { lua: string; headers: Record<string, string> }
  > = {
    fastify: (work) => ({ lua: plain[work], headers: {} }),
    directus: (work) => ({
      lua: {
        get: get(`"/items/goods/" .. ${anyItem}`),
        list: get(
          `"/items/goods?limit=20&sort=-created_at&meta=filter_count&filter[category][_eq]=" .. ${anyCategory}`,
        ),
        create: post(
          "/items/goods",
          `'{"id":"' .. unique() .. '","item_code":"B-' .. unique() .. '","item_name":"Bench item","selling_price":12.5}'`,
        ),
      }[work],
      headers: { Authorization: "Bearer bench-token" },
    }),
    pocketbase: (work) => ({
      lua: {
        get: get(`"/api/collections/goods/records/" .. string.format("%015d", random(${size.items}))`),
        list: get(
          `"/api/collections/goods/records?perPage=20&sort=-created&filter=(category%3D'" .. ${anyCategory} .. "')"`,
        ),
        create: post(
          "/api/collections/goods/records",
          `'{"item_code":"B-' .. unique() .. '","item_name":"Bench item","selling_price":12.5}'`,
        ),
      }[work],
      headers: {},
    }),
  }
  const plain = {
    get: get(`"/items/" .. ${anyItem}`),
    list: get(`"/items?category=" .. ${anyCategory}`),
    create: post("/items", newItem),
  }
  const ourGet = get(`"/api/v1/items/" .. ${anyItem}`)
  return [
    {
      work: "get, signed in",
      sides: { kontor: ours(ourGet), raw: bare(plain.get), ...baselineRequests("get") },
      bars: { raw: 0.75, fastify: 1.5, directus: 20, pocketbase: 10 },
    },
    {
      work: "get, by API key",
      sides: { kontor: ours(ourGet, { "X-API-Key": key }), raw: bare(plain.get) },
      bars: { raw: 0.75 },
    },
    {
      work: "list of 20 with filter and total",
      sides: {
        kontor: ours(get(`"/api/v1/items?category=" .. ${anyCategory}`)),
        raw: bare(plain.list),
        ...baselineRequests("list"),
      },
      bars: { raw: 1.0, fastify: 1.5, directus: 10, pocketbase: 10 },
    },
    {
      work: "list of 20 by cursor",
      sides: {
        kontor: ours(get(`"/api/v1/items?perPage=20&cursor=${cursor}"`)),
        raw: bare(get(`"/items?at=${at}&id=${id}"`)),
      },
      bars: { raw: 0.7 },
    },
    {
      work: "create an item",
      sides: {
        kontor: ours(post("/api/v1/items", newItem)),
        raw: bare(plain.create),
        ...baselineRequests("create"),
      },
      bars: { raw: 0.65, fastify: 1.5, directus: 20, pocketbase: 8 },
    },
    {
      work: "create an order of 5 lines",
      sides: {
        kontor: ours(post("/api/v1/sales-orders", newOrder)),
        raw: bare(post("/sales-orders", newOrder)),
      },
      bars: { raw: 0.6 },
    },
  ]
}

async function makeKey({ url, headers }: Server): Promise<string> {
  const response = await fetch(`${url}/api/v1/api-keys`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "Bench", scopes: ["read", "write"] }),
  })
  return ((await response.json()) as { data: { key: string } }).data.key
}

/** Returns the middle of the list: its cursor, and the last row before it. */
async function middleOf({ url, headers }: Server, { items }: Size) {
  const response = await fetch(`${url}/api/v1/items?page=${Math.floor(items / 40)}&perPage=20`, { headers })
  const { data, meta } = (await response.json()) as {
    data: { id: string; createdAt: string }[]
    meta: { nextCursor: string }
  }
  const last = data.at(-1)
  return { cursor: encodeURIComponent(meta.nextCursor), at: last?.createdAt ?? "", id: last?.id ?? "" }
}

function fail(name: string): never {
  throw new Error(`There is no request for ${name}.`)
}
