import { describe, expect, test } from "bun:test"
import { rightsOf } from "../../shared/rights"
import { defineResource } from "../kind/define"
import { decimal, readOnly, required, withDefault } from "../kind/field"
import { readListQuery, slim } from "./list"
import { object } from "../kind/object"
import { text } from "../kind/text-field"

const things = defineResource({
  name: "things",
  table: "things",
  idPrefix: "thg",
  noun: "thing",
  title: "Thing",
  about: "",
  rights: rightsOf("items"),
  search: ["label"],
  fields: {
    label: required(text()),
    notes: text({ multiline: true }),
    price: withDefault(decimal(), 0),
    total: readOnly(decimal(), 0),
    address: object({ city: text(), size: text() }),
  },
})

const read = (query: string, kind: Parameters<typeof readListQuery>[0] = things) =>
  readListQuery(kind, query, { currency: "EUR", digits: 2, today: "2026-03-01" })
const refusedAs = (code: string, ...fields: string[]) =>
  expect.objectContaining({ code, details: fields.map((field) => expect.objectContaining({ field })) })
const prototypeNames = ["__proto__", "constructor", "toString", "hasOwnProperty"]

describe("A name in the query of a list", () => {
  test.each([
    ...prototypeNames,
    "Label",
    "label ",
    "price[GTE]x",
    "price[]",
    "price[gte",
    "[gte]",
    "price[gte][lt]",
    "",
  ])("%p is neither a parameter nor a filter.", (name) => {
    expect(() => read(`${encodeURIComponent(name)}=1`)).toThrow(refusedAs("INVALID_QUERY", name))
  })

  test.each([...prototypeNames, "GTE", "between", "is"])("%p is not an operator.", (operator) => {
    const name = `price[${operator}]`
    expect(() => read(`${name}=1`)).toThrow(expect.objectContaining({ code: "INVALID_QUERY" }))
  })

  test("An object can be neither filtered nor sorted, but the texts in it can.", () => {
    for (const query of [
      "address=x",
      "address[like]=x",
      "sort=address",
      "address.=x",
      "address.town=x",
      "address.constructor=x",
      "address.city.x=x",
      "label.city=x",
      "fields=address.city",
    ])
      expect(() => read(query)).toThrow(expect.objectContaining({ code: "INVALID_QUERY" }))
    expect(read("address.city=Bonn&address.city[null]=false&sort=address.city,address.size")).toMatchObject({
      filters: [
        { field: "address.city", operator: "eq", sql: "(address ->> 'city') = ?", values: ["Bonn"] },
        { field: "address.city", operator: "notNull" },
      ],
      sort: [{ field: "address.city" }, { field: "address.size" }],
    })
  })

  test.each([...prototypeNames, "Label", "label desc", "-label", "label,", "label,price,id", "label,label"])(
    "%p is not a field to sort by.",
    (name) => {
      expect(() => read(`sort=${encodeURIComponent(name)}`)).toThrow(refusedAs("INVALID_QUERY", "sort"))
    },
  )

  test.each([...prototypeNames, "address.city", "Label"])("%p is not a field to return.", (name) => {
    expect(() => read(`fields=label,${name}`)).toThrow(refusedAs("INVALID_QUERY", "fields"))
  })

  test("A filter without an operator means eq, and repeating it with eq is a second filter.", () => {
    expect(read("price=1").filters).toMatchObject([{ field: "price", operator: "eq", values: [10_000] }])
    expect(read("price=1&price[eq]=1&price[gt]=0").filters).toHaveLength(3)
  })

  test("Twenty filters are allowed, and one more is refused.", () => {
    const names = ["label", "notes", "price", "total", "id"].flatMap((name) =>
      ["eq", "ne", "like", "in", "gt"].map((operator) => `${name}[${operator}]=1`),
    )
    expect(read(names.slice(0, 20).join("&")).filters).toHaveLength(20)
    expect(() => read(names.slice(0, 21).join("&"))).toThrow(
      expect.objectContaining({ code: "INVALID_QUERY" }),
    )
  })
})

describe("The order of a list", () => {
  test.each([
    ["sort=label,price", "desc", "desc"],
    ["sort=label,price&order=asc", "asc", "asc"],
    ["sort=label,price&order=asc,desc", "asc", "desc"],
  ] as const)("%s has a direction for each field.", (query, first, second) => {
    expect(read(query).sort).toEqual([
      { field: "label", order: first },
      { field: "price", order: second },
    ])
  })

  test.each(["order=asc,desc", "sort=label,price&order=asc,", "sort=label,price&order=asc,desc,asc"])(
    "%s has not one direction for each field.",
    (query) => {
      expect(() => read(query)).toThrow(refusedAs("VALIDATION_ERROR", "order"))
    },
  )
})

describe("A value in the query of a list", () => {
  test.each(["0", "-1", "1.5", "1e3", "+1", " 1", "", "one", "0x1", "١", "Infinity", "NaN"])(
    "%p is neither a page nor a number per page.",
    (value) => {
      const given = encodeURIComponent(value)
      expect(() => read(`page=${given}&perPage=${given}`)).toThrow(
        refusedAs("VALIDATION_ERROR", "page", "perPage"),
      )
    },
  )

  test("A page has at most 100 records, and the last page has a limit.", () => {
    expect(read("")).toMatchObject({ page: 1, perPage: 20, sort: [{ field: "createdAt", order: "desc" }] })
    for (const perPage of ["100", "101", "9007199254740993", "9".repeat(400)])
      expect(read(`perPage=${perPage}`).perPage).toBe(100)
    expect(read("page=1000000000&perPage=007")).toMatchObject({ page: 1_000_000_000, perPage: 7 })
    expect(() => read("page=1000000001")).toThrow(refusedAs("VALIDATION_ERROR", "page"))
  })

  test("A cursor and a page exclude each other.", () => {
    expect(() => read("cursor=a&page=1")).toThrow(refusedAs("INVALID_QUERY", "page"))
    expect(read("cursor=a").cursor).toBe("a")
  })

  test("All wrong values are reported together.", () => {
    expect(() => read("price=x&total[gt]=y&order=up&perPage=0&fields=label,&cursor=")).toThrow(
      refusedAs("VALIDATION_ERROR", "price", "total[gt]", "order", "perPage", "cursor", "fields"),
    )
  })

  test("A search has at most 200 characters, which may be 400 UTF-16 units.", () => {
    expect(read(`search=${encodeURIComponent("🔩".repeat(200))}`).match).toBeNull()
    expect(() => read(`search=${encodeURIComponent("🔩".repeat(201))}`)).toThrow(
      refusedAs("VALIDATION_ERROR", "search"),
    )
    expect(read("search=+").match).toBeUndefined()
  })

  test("Only comparing, matching and sorting by a long text are deprecated.", () => {
    for (const query of ["notes[like]=a", "notes[gt]=a", "notes[lte]=a", "sort=notes"])
      expect(read(query).isDeprecated).toBeTrue()
    for (const query of [
      "notes=a",
      "notes[ne]=a",
      "notes[in]=a,b",
      "label[like]=a",
      "sort=label",
      "fields=notes",
    ])
      expect(read(query).isDeprecated).toBeFalse()
  })
})

describe("The identity of a list", () => {
  const identity = (query: string) => read(query).identity

  test("It does not depend on the page, the fields or the order of the filters.", () => {
    expect(identity("page=2&perPage=5&fields=label")).toBe(identity(""))
    expect(identity("price[gt]=1&label=a")).toBe(identity("label=a&price[gt]=1"))
    expect(identity("label=a")).toBe(identity("label[eq]=a"))
    expect(identity("sort=createdAt&order=desc")).toBe(identity(""))
  })

  test("Two lists that differ never share it.", () => {
    const queries = [
      "",
      "order=asc",
      "sort=label",
      "sort=label,price",
      "sort=label,price&order=asc",
      "sort=label,price&order=asc,desc",
      "search=a",
      "search=A",
      "label=a",
      "label=A",
      "label[ne]=a",
      "notes=a",
      "label=a&notes=b",
      "label=a%22%2C%22notes%5Beq%5D%3Db",
      "label=a%2Cnotes%5Beq%5D%3Db",
      "label=a&search=b",
      "label=b&search=a",
    ]
    expect(new Set(queries.map(identity)).size).toBe(queries.length)
    expect(read("", { ...things, name: "others" }).identity).not.toBe(identity(""))
  })
})

test("A record with selected fields has them in the requested order, and only its own values.", () => {
  const record = { id: "thg_1", label: "Desk", notes: null }
  expect(slim(record, undefined)).toBe(record)
  expect(Object.entries(slim(record, ["notes", "id"]))).toEqual([
    ["notes", null],
    ["id", "thg_1"],
  ])
})
