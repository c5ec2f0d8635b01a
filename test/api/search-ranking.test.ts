import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { apiWith, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"

type Hit = { id: string; name: string; score: number }
const searchWith =
  (api: Api) =>
  async (q: string, kind = "items", limit = 10) =>
    ((await api.get(`/search?q=${encodeURIComponent(q)}&types=${kind}&limit=${limit}`)).body.data[kind] ??
      []) as Hit[]

afterAll(cleanUp)

describe("over a catalogue of 2,000 names", () => {
  let search: ReturnType<typeof searchWith>
  const makes = [
    "Nordwind",
    "Hafen",
    "Alpina",
    "Solberg",
    "Krüger",
    "Émile",
    "Brightwater",
    "Øster",
    "Monteverde",
    "Ashford",
  ]
  const kinds = [
    "Cordless drill",
    "Angle grinder",
    "Garden hose",
    "Coffee grinder",
    "Desk lamp",
    "Office chair",
    "Wall shelf",
    "Tool box",
    "Paint roller",
    "Extension cable",
    "Water kettle",
    "Storage basket",
    "Picture frame",
    "Door handle",
    "Kitchen scale",
    "Bread knife",
    "Travel mug",
    "Bath mat",
    "Window blind",
    "Floor mop",
  ]
  const sizes = ["small", "large", "pro", "mini", "classic", "500", "750", "XL", "set of 2", "refill"]

  beforeAll(async () => {
    const kontor = await serve()
    const api = await signIn(kontor)
    let n = 0
    const drafts = makes.flatMap((make, m) =>
      kinds.flatMap((kind, k) =>
        sizes.map((size, s) => ({
          itemCode: `${make.slice(0, 2).toUpperCase()}${m}-${k + 10}-${s}${++n}`,
          itemName: `${make} ${kind} ${size}`,
        })),
      ),
    )
    drafts.push(
      { itemCode: "DRILL", itemName: "Pillar machine" },
      { itemCode: "X-77-Q", itemName: "Drill" },
      { itemCode: "GR-1", itemName: "Grinder" },
    )
    while (drafts.length > 0)
      await Promise.all(drafts.splice(0, 100).map((draft) => api.create("/items", draft)))
    search = searchWith(api)
  })

  const cases: [why: string, q: string, first: (string | RegExp)[]][] = [
    [
      "an exact code, then an exact name, then names that contain the word",
      "drill",
      ["Pillar machine", "Drill", /Cordless drill/],
    ],
    ["an exact name before the many that contain it", "grinder", ["Grinder", /grinder/]],
    ["a code by the part inside it", "77", ["Drill"]],
    ["a whole name", "Solberg Desk lamp mini", ["Solberg Desk lamp mini"]],
    ["its words in another order", "mini lamp solberg", ["Solberg Desk lamp mini"]],
    ["the start of a name", "Ashford Tr", [/^Ashford Travel mug/, /^Ashford Travel mug/]],
    ["starts of several words", "mont wat ket", [/^Monteverde Water kettle/]],
    ["without the umlaut", "kruger office chair xl", ["Krüger Office chair XL"]],
    ["without the accent", "emile bread", [/^Émile Bread knife/]],
    ["a letter that is not an accent", "oster mop", [/^Øster Floor mop/]],
    ["a missing letter", "nordwnd", [/^Nordwind/]],
    ["two letters exchanged", "solbegr", [/^Solberg/]],
    ["a wrong letter, next to a right word", "kettel pro", [/Water kettle pro/]],
    ["an extra letter", "ashfordd", [/^Ashford/]],
    ["letters inside a word", "ghtwat", [/^Brightwater/]],
    ["a number in a name", "garden hose 750", [/Garden hose 750$/]],
  ]
  test.each(cases)("%s: %p", async (_, q, first) => {
    const found = (await search(q)).map(({ name }) => name)
    for (const [i, wanted] of first.entries()) {
      if (typeof wanted === "string") expect(found[i]).toBe(wanted)
      else expect(found[i]).toMatch(wanted)
    }
  })

  test("every hit for two words contains both", async () => {
    for (const { name } of await search("wall shelf", "items", 100)) expect(name).toContain("Wall shelf")
  })

  test("scores decrease from hit to hit, and ties are sorted by name", async () => {
    const hits = await search("desk lamp", "items", 100)
    for (const [i, hit] of hits.entries()) {
      const next = hits[i + 1]
      if (!next) continue
      expect(hit.score).toBeGreaterThanOrEqual(next.score)
    }
  })
})

describe("over the demo shop", () => {
  let search: ReturnType<typeof searchWith>
  beforeAll(async () => {
    const kontor = await serve({ args: ["--demo"], env: {} })
    const key = /API key with every scope: (\S+)/.exec(kontor.output.stdout)?.[1] ?? ""
    search = searchWith(apiWith(kontor, { "x-api-key": key }))
  })

  test.each([
    ["items", "DSK-010", "Standing desk 120 cm oak"],
    ["items", "standing desk", /^Standing desk/],
    ["items", "stnading desk", /^Standing desk/],
    ["items", "cafe table petrol", "Café table petrol"],
    ["items", "bolt m8 stainless", /^Bolt M8 stainless/],
    ["items", "asembly", "Assembly on site"],
    ["customers", "ozturk", /^Öztürk/],
    ["customers", "sondergaard", /^Søndergaard/],
    ["customers", "CUST-00007", /./],
    ["customers", "7", /./],
    ["customers", "office@hansen", /^Hansen/],
    ["customers", "100137", /./],
    ["sales-orders", "42", /^SO-\d{4}-00042 · /],
    ["invoices", "42", /^INV-\d{4}-00042 · /],
  ])("%s: %p finds %p first", async (kind, q, wanted) => {
    const [first] = await search(q, kind)
    if (typeof wanted === "string") expect(first?.name).toBe(wanted)
    else expect(first?.name ?? "").toMatch(wanted)
  })
})

describe("consistency", () => {
  let kontor: Kontor
  let api: Api
  beforeAll(async () => {
    kontor = await serve()
    api = await signIn(kontor)
  })

  /** Each record must be found by its whole name, and a name that no record has must find nothing. */
  const compare = async (live: Map<string, string>, gone: Set<string>) => {
    const search = searchWith(api)
    for (const [id, name] of live)
      expect((await search(name, "items", 100)).some((hit) => hit.id === id && hit.name === name)).toBeTrue()
    for (const name of gone)
      expect((await search(name, "items", 100)).filter((hit) => hit.name === name)).toEqual([])
  }

  test("after random creates, renames and deletes, and again after a kill", async () => {
    const word = fc.stringMatching(/^[a-z]{5,9}$/)
    const step = fc.record({
      what: fc.constantFrom("create", "create", "rename", "delete"),
      name: fc.tuple(word, word),
      at: fc.nat({ max: 99 }),
    })
    let n = 0
    const live = new Map<string, string>()
    const gone = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        for (const { what, name: words, at } of steps) {
          const name = words.join(" ")
          const [id = "", before = ""] = [...live][at % Math.max(1, live.size)] ?? []
          if (what === "create" || id === "")
            live.set((await api.create("/items", { itemCode: `R-${++n}`, itemName: name })).id, name)
          else if (what === "rename") {
            await api.put(`/items/${id}`, { itemName: name })
            live.set(id, name)
            gone.add(before)
          } else {
            await api.delete(`/items/${id}`)
            live.delete(id)
            gone.add(before)
          }
        }
        for (const name of live.values()) gone.delete(name)
        await compare(live, gone)
      }),
      { numRuns: 6 },
    )
    await kontor.stop("SIGKILL")
    kontor = await serve({ cwd: kontor.cwd, env: {} })
    api = await signIn(kontor)
    await compare(live, gone)
    expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  })
})
