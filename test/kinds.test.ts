import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import { Glob } from "bun"
import { join } from "node:path"
import { kindOf as consoleKindOf } from "../src/console/kinds"
import { isDay, isMoment } from "../src/console/parts/shown"
import { values as frame } from "../src/console/texts/en/values"
import { describedKinds, kindList, kinds, shop } from "../src/kinds"
import { searchKindsOf } from "../src/office/search/model"
import { amountQueries } from "../src/office/search/store"
import { documentOptions } from "../src/trade/documents/model"
import { invoicePayments, writeOffs } from "../src/trade/settlements/model"
import { webhookDeliveries } from "../src/office/webhooks/model"
import { columnOf, isNumbered, keyOfName, storedFields, type Resource } from "../src/core/kind/define"
import { statusWords, type Field } from "../src/core/kind/field"
import { sortSourceOf } from "../src/core/store/filter"
import { wholeSchema } from "../src/core/engine/schema/migrate"
import { searchTables } from "../src/core/engine/schema/search-tables"
import { collidingKinds, errorOfFormat } from "../src/shared/number-format"
import { cleanUp, run } from "./support/kontor"

afterAll(cleanUp)

const src = join(import.meta.dir, "../src")
const db = new Database(":memory:")
db.run(wholeSchema())
/** The program, without its unit tests. */
const sources = await Promise.all(
  [...new Glob("{core,office,trade,shop,services}/**/*.ts").scanSync(src)]
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => Bun.file(join(src, file)).text()),
)
const tables = db
  .query<{ name: string; type: string }, []>("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
  .all()
const namesOf = (type: string) => tables.filter((table) => table.type === type).map(({ name }) => name)

/** The figures of a kind that only the server writes. Only a check can show whether they are right. */
const figuresOf = (kind: Resource): string[] =>
  storedFields(kind)
    .filter(([, { access, kind: values }]) => access === "readOnly" && ["amount", "decimal"].includes(values))
    .map(([name]) => columnOf(name))

/** The columns of each index of a table, including unique constraints. */
const indexesOf = (table: string): string[][] =>
  db
    .query<{ name: string }, [string]>("SELECT name FROM pragma_index_list(?)")
    .all(table)
    .map(({ name }) =>
      db
        .query<{ name: string }, [string]>("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
        .all(name)
        .map((column) => column.name),
    )
const isStart = (wanted: string[], columns: string[]) => wanted.every((name, i) => columns[i] === name)
const anyMoney = { currency: "USD", digits: 2, today: "2026-01-01" }

describe.each([...kindList])("the kind $name", (kind) => {
  test("mentions in its checks every figure that only the server writes", () => {
    const words = new Set((kind.checks ?? []).flatMap(({ sql }) => sql.match(/\w+/g) ?? []))
    expect(figuresOf(kind).filter((figure) => !words.has(figure))).toEqual([])
  })

  test("has checks that run on the schema, and find nothing in empty tables", () => {
    for (const { sql } of kind.checks ?? []) expect(db.query(sql).all()).toEqual([])
  })

  test("has the indexes that its lists need", () => {
    const { sort = [], group = [], unique = [], isWithoutId } = kind.indexed ?? {}
    const last = isWithoutId ? [] : ["id"]
    const has = (...columns: string[]) => indexesOf(kind.table).some((index) => isStart(columns, index))
    const sortColumn = (name: string) => sortSourceOf(name, kind.fields[name] as Field, anyMoney)
    for (const name of sort) expect([name, has(sortColumn(name), ...last)]).toEqual([name, true])
    for (const name of group) expect([name, has(columnOf(name), "created_at", ...last)]).toEqual([name, true])
    for (const name of unique)
      expect([name, has(columnOf(name)) || has(`${columnOf(name)}_key`)]).toEqual([name, true])
  })

  test("is found by its amounts with an index, in the order of the rows", () => {
    for (const each of searchKindsOf([kind]))
      for (const [i, amount] of each.amounts.entries())
        expect(
          db
            .query<{ detail: string }, [number, number]>(`EXPLAIN QUERY PLAN ${amountQueries(each)[i]}`)
            .all(1, 1),
        ).toMatchObject([
          { detail: `SEARCH ${kind.table} USING INDEX ${kind.table}_${amount.column} (${amount.column}=?)` },
        ])
  })

  test("searches fields that it has, and parts of its objects", () => {
    const { search, searchMore = [], fragments = [] } = kind
    const unknown = [...search, ...searchMore, ...fragments].filter((searched) => {
      const [name = "", part] = searched.split(".")
      const field: Field | undefined = kind.fields[name]
      return field === undefined || (part !== undefined && !Object.hasOwn(field.parts ?? {}, part))
    })
    expect(unknown).toEqual([])
  })

  test("has search tables that FTS5 does not merge by itself", () => {
    for (const table of searchTables(kind.table)) {
      if (!namesOf("virtual").includes(table)) continue
      expect(db.query(`SELECT v FROM ${table}_config WHERE k = 'automerge'`).get()).toEqual({ v: 0 })
    }
  })

  test("has rows that only its store adds and deletes, unless it says so", () => {
    const statement = new RegExp(`(INSERT[A-Z ]* INTO|DELETE FROM) ${kind.table}\\b`)
    const isDeletedByCascade = db
      .query<{ on_delete: string }, [string]>("SELECT on_delete FROM pragma_foreign_key_list(?)")
      .all(kind.table)
      .some(({ on_delete }) => on_delete === "CASCADE")
    const isWritten = sources.some((source) => statement.test(source)) || isDeletedByCascade
    expect(isWritten).toBe(kind.isWrittenByModule ?? false)
  })

  test("needs the same right in the console as in the API", () => {
    const shown = consoleKindOf(kind.name)
    if (!shown) return
    const { area, scope } = kind.rights.read
    expect(shown.right).toEqual({ area, scope })
  })

  test("has its table in the schema", () => expect(namesOf("table")).toContain(kind.table))

  test("has both search tables if and only if it has searchable fields", () => {
    const made = searchTables(kind.table).filter((name) => namesOf("virtual").includes(name))
    expect(made).toEqual(kind.search.length > 0 ? searchTables(kind.table) : [])
  })
})

test("the kinds have figures to check", () => {
  expect(kindList.flatMap(figuresOf).length).toBeGreaterThan(10)
})

test("every date and every time has a name by which the console knows it", () => {
  const ofFormat = (format: string) =>
    describedKinds.flatMap(({ fields }) =>
      Object.entries<Field>(fields).flatMap(([name, { schema }]) => (schema.format === format ? [name] : [])),
    )
  expect(ofFormat("date").length).toBeGreaterThan(5)
  expect(ofFormat("date").filter((name) => !isDay(name))).toEqual([])
  expect(ofFormat("date-time").filter((name) => !isMoment(name))).toEqual([])
})

test("every document declares what documents have in common, such as that it fixes the currency", () => {
  const documents = kindList.filter(({ lines }) => lines)
  expect(documents.length).toBeGreaterThan(2)
  // A kind can expand more than these.
  const common = { ...documentOptions, expands: expect.arrayContaining([...documentOptions.expands]) }
  for (const kind of documents) expect([kind.name, kind]).toMatchObject([kind.name, common])
})

test("the numbers of no two kinds can be the same, by default and in German", () => {
  const numbered = kindList.filter(isNumbered)
  expect(numbered.length).toBeGreaterThan(3)
  for (const of of ["format", "german"] as const) {
    const formats = Object.fromEntries(numbered.map(({ name, numbers }) => [name, numbers[of]]))
    for (const format of Object.values(formats))
      expect([format, errorOfFormat(format)]).toEqual([format, null])
    expect(collidingKinds(formats)).toEqual([])
  }
})

test("every search table belongs to a kind", () => {
  expect(namesOf("virtual").toSorted()).toEqual(
    kindList
      .filter(({ search }) => search.length > 0)
      .flatMap(({ table }) => searchTables(table))
      .toSorted(),
  )
})

test.each(["name", "table", "idPrefix", "noun", "title"] as const)(
  "no two kinds have the same %s",
  (property) => {
    const values = kindList.map((kind) => kind[property])
    expect(values).toEqual([...new Set(values)])
  },
)

test("every kind that a model defines is in the list", async () => {
  const defined: unknown[] = []
  for await (const file of new Glob("{office,trade,shop}/*/model.ts").scan(src)) {
    const source = await Bun.file(join(src, file)).text()
    const names = [...source.matchAll(/^export const (\w+) = define(?:Resource|Ledger)\(/gm)].map(
      ([, name]) => name ?? "",
    )
    // `settingsKind` makes a kind of its argument. The scan would miss one that is defined in another way.
    const made = [
      ...source.matchAll(/^export const (\w+Kind) = (?:.*\n){1,5} {2}define(?:Resource|Ledger)\(/gm),
    ]
    expect([file, names.length + made.length]).toEqual([
      file,
      source.match(/\bdefine(Resource|Ledger)\(/g)?.length ?? 0,
    ])
    const exported = (await import(join(src, file))) as Record<string, unknown>
    defined.push(...names.map((name) => exported[name]))
    const byKey: Record<string, unknown> = kinds
    defined.push(...made.map(([, name = ""]) => byKey[name.replace(/Kind$/, "")]))
  }
  expect(kindList.length).toBeGreaterThan(5)
  // The payments and write-offs of an invoice and the deliveries of a webhook have no list of their own.
  const known: Resource[] = [...kindList, invoicePayments, writeOffs, webhookDeliveries]
  expect(new Set(defined)).toEqual(new Set(known))
  for (const kind of defined) expect(known.some((each) => each === kind)).toBeTrue()
})

test("the API has a history for exactly those kinds whose model declares it", async () => {
  const { paths } = JSON.parse((await run(["openapi"])).stdout) as { paths: object }
  const told = Object.keys(paths).flatMap((path) => /^.*\/([^/]+)\/\{id\}\/history$/.exec(path)?.[1] ?? [])
  const wanted = kindList.filter(({ hasHistory }) => hasHistory).map(({ name }) => name)
  expect(told.toSorted()).toEqual(wanted.toSorted())
})

test("the folders of the shop are named like their kinds", () => {
  expect(Object.keys(shop)).toEqual(Object.values(shop).map(({ kind }) => keyOfName(kind.name)))
})

describe.each(kindList.flatMap(({ names, ...kind }) => (names ? [{ ...kind, names }] : [])))(
  "the names of the kind $name",
  ({ name, names: { en, de }, fields, events = {}, colours = {} }) => {
    const statuses = Object.values<Field>(fields)
      .filter(({ kind }) => kind === "status")
      .flatMap(({ schema, virtual = {} }) => [...(schema.enum as string[]), ...Object.keys(virtual)])

    test("are the same in both languages", () => {
      for (const each of ["fields", "statuses", "events"] as const)
        expect([each, Object.keys(de[each] ?? {})]).toEqual([each, Object.keys(en[each] ?? {})])
    })

    test("have all its statuses and types of events", () => {
      const known = { ...frame.status, ...en.statuses }
      expect([name, statuses.filter((status) => !Object.hasOwn(known, status))]).toEqual([name, []])
      const named = { ...known, ...en.events }
      expect([name, Object.keys(events).filter((type) => !Object.hasOwn(named, type))]).toEqual([name, []])
      for (const type of Object.keys(en.events ?? {})) expect(Object.keys(events)).toContain(type)
    })

    test("have a status for each colour", () => {
      for (const status of Object.keys(colours)) expect(Object.keys(en.statuses ?? {})).toContain(status)
    })
  },
)

test("a status word contains neither a comma nor a space, so that it can be part of a list in a query", () => {
  expect(statusWords()).toContain("partially_paid")
  for (const word of statusWords()) expect(word).toMatch(/^[a-z]+(_[a-z]+)*$/)
})
