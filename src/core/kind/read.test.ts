import { Type } from "@sinclair/typebox"
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Warning } from "../lib/warning"
import type { FieldError } from "../lib/refusal"
import { rightsOf } from "../../shared/rights"
import { defineResource } from "./define"
import {
  choice,
  createOnly,
  decimal,
  list,
  readOnly,
  required,
  status,
  structure,
  withDefault,
} from "./field"
import { object } from "./object"
import { readChange, readDraft, type Input } from "./read"
import { text } from "./text-field"

const things = defineResource({
  name: "things",
  table: "things",
  idPrefix: "thg",
  noun: "thing",
  title: "Thing",
  about: "",
  rights: rightsOf("items"),
  search: [],
  onCreate: { status: withDefault(choice(["draft", "open"]), "draft") },
  writeOnly: { secret: required(text()) },
  fields: {
    label: required(text({ max: 5 })),
    series: createOnly(text()),
    notes: text({ multiline: true }),
    price: withDefault(decimal({ min: 0 }), 0),
    tags: withDefault(list(text({ max: 3 }), { max: 3 }), []),
    address: object({ street: text({ max: 5 }), city: text({ max: 5 }) }),
    status: readOnly(status(["draft", "open"])),
    total: readOnly(decimal(), 0),
    words: readOnly(structure<string[]>(Type.Array(Type.String()))),
  },
})

const stored = {
  id: "thg_1",
  label: "Desk",
  series: "A",
  notes: null,
  price: 12.5,
  tags: ["a"],
  address: { street: "Long", city: "Bonn" },
  status: "draft" as const,
  total: 3,
  words: ["open"],
  version: 1,
  createdAt: "2026-03-01T09:30:00.000Z",
  updatedAt: "2026-03-01T09:30:00.000Z",
}

const draft = (input: Input) => {
  const { errors, input: _, ...read } = readDraft(things, input)
  return { ...read, wrong: errors.map(({ field }) => field) }
}

function change(input: Input, record: object = {}) {
  const errors: FieldError[] = []
  const warnings: Warning[] = []
  const values = readChange(things, { ...stored, ...record } as typeof stored, input, errors, warnings)
  return { values, wrong: errors.map(({ field }) => field), warned: warnings.map(({ field }) => field) }
}

const json = (source: string) => JSON.parse(source) as Input
const prototypeNames = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]

describe("A body that creates a record", () => {
  test("A field that is missing, null or undefined gets its default, or null.", () => {
    const empty = { series: null, notes: null, price: 0, tags: [], address: null }
    for (const none of [{}, { notes: null, price: null, tags: null, address: null }, { price: undefined }])
      expect(draft({ label: "Desk", secret: "x", ...none })).toEqual({
        values: { label: "Desk", ...empty },
        extras: { status: "draft", secret: "x" },
        wrong: [],
      })
  })

  test("Every required field that is missing or null is reported, also one that no response shows.", () => {
    expect(draft({}).wrong.toSorted()).toEqual(["label", "secret"])
    expect(draft({ label: null, secret: null }).wrong.toSorted()).toEqual(["label", "secret"])
  })

  test.each(prototypeNames)("The name %p is an unknown field, and changes no prototype.", (name) => {
    const { wrong, values } = draft(json(`{"label":"Desk","secret":"x","${name}":{"price":7}}`))
    expect(wrong).toEqual([name])
    expect(values.price).toBe(0)
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
  })

  test("A value of the prototype does not count as given.", () => {
    expect(draft(Object.create({ label: "Desk", secret: "x" }) as Input).wrong).toContain("label")
  })

  test("A field that only the server sets may be null, and nothing else.", () => {
    const given = { label: "Desk", secret: "x" }
    expect(draft({ ...given, total: null, id: null, version: null }).wrong).toEqual([])
    for (const total of [0, "", false, []]) expect(draft({ ...given, total }).wrong).toEqual(["total"])
  })

  test("A name that is read-only later but allowed at creation is an extra.", () => {
    const { values, extras, wrong } = draft({ label: "Desk", secret: "x", status: "open" })
    expect([extras.status, "status" in values, wrong]).toEqual(["open", false, []])
    expect(draft({ label: "Desk", secret: "x", status: "paid" }).wrong).toEqual(["status"])
  })

  test("An object without any value is null; otherwise it has all its parts.", () => {
    const addressOf = (address: unknown) => draft({ label: "Desk", secret: "x", address })
    expect(addressOf({}).values.address).toBeNull()
    expect(addressOf({ street: null, city: null }).values.address).toBeNull()
    expect(addressOf({ city: "Bonn" }).values.address).toEqual({ street: null, city: "Bonn" })
    for (const wrong of [[], "Bonn", 0, false]) expect(addressOf(wrong).wrong).toEqual(["address"])
    expect(addressOf({ zip: 1, city: 5, street: "x".repeat(6) }).wrong.toSorted()).toEqual([
      "address.city",
      "address.street",
      "address.zip",
    ])
    expect(addressOf(json('{"__proto__":{"city":"Bonn"}}')).wrong).toEqual(["address.__proto__"])
  })

  test("Each wrong entry of a list is reported with its index.", () => {
    const tagsOf = (tags: unknown) => draft({ label: "Desk", secret: "x", tags })
    expect(tagsOf(["a", 1, "long"]).wrong).toEqual(["tags[1]", "tags[2]"])
    for (const wrong of [["a", "b", "c", "d"], {}, { length: 1, 0: "a" }, "a"])
      expect(tagsOf(wrong).wrong).toEqual(["tags"])
  })
})

describe("A body that updates a record", () => {
  test("A missing field keeps its value, and null sets the default.", () => {
    expect(change({})).toEqual({ values: {}, wrong: [], warned: [] })
    expect(change({ price: null, tags: null, address: null, notes: null }).values).toEqual({
      price: 0,
      tags: [],
      address: null,
      notes: null,
    })
    expect(change({ label: null }).wrong).toEqual(["label"])
  })

  test("The parts of an object are merged separately.", () => {
    expect(change({ address: { city: "Ulm" } }).values.address).toEqual({ street: "Long", city: "Ulm" })
    expect(change({ address: { city: null } }).values.address).toEqual({ street: "Long", city: null })
    expect(change({ address: { city: null, street: null } }).values.address).toBeNull()
    expect(change({ address: {} }).values.address).toEqual(stored.address)
    expect(change({ address: { city: "Ulm" } }, { address: null }).values.address).toEqual({
      street: null,
      city: "Ulm",
    })
    expect(change({ address: [] }).wrong).toEqual(["address"])
  })

  test.each(prototypeNames)("The name %p is unknown, at the top and in an object.", (name) => {
    expect(change(json(`{"${name}":{"label":"x"}}`))).toMatchObject({ values: {}, wrong: [name] })
    expect(change(json(`{"address":{"${name}":"x"}}`)).wrong).toEqual([`address.${name}`])
  })

  test("A field that is allowed only at creation is unknown or ignored.", () => {
    expect(change({ secret: "x" }).wrong).toEqual(["secret"])
    expect(change({ status: "open" })).toEqual({ values: {}, wrong: [], warned: ["status"] })
  })

  test("A read-only value that differs is ignored with a warning; another id is an error.", () => {
    expect(change({ total: 3, words: ["open"], version: 1, id: "thg_1" })).toEqual({
      values: {},
      wrong: [],
      warned: [],
    })
    expect(change({ total: "3", version: 2 })).toEqual({
      values: {},
      wrong: [],
      warned: ["total", "version"],
    })
    expect(change({ id: "thg_2" })).toEqual({ values: {}, wrong: ["id"], warned: [] })
  })

  test("A field that is set only at creation may be sent unchanged, except for spaces around it.", () => {
    expect(change({ series: "A" }).wrong).toEqual([])
    expect(change({ series: "  A " }).wrong).toEqual([])
    for (const series of ["B", "a", null]) expect(change({ series }).wrong).toEqual(["series"])
  })

  test("A stored value that newer rules refuse can be sent back, completely or in part.", () => {
    const old = { label: "Too long", tags: ["long", "a"], address: { street: "Long street", city: "Bonn" } }
    expect(change(old, old)).toEqual({ values: old, wrong: [], warned: [] })
    const partly = { tags: ["b", "long"], address: { street: "Long street", city: "Ulm" } }
    expect(change(partly, old)).toEqual({ values: partly, wrong: [], warned: [] })
    expect(change({ address: { city: "Ulm" } }, old).wrong).toEqual([])
    expect(change({ label: "Too long!", tags: ["longer"] }, old).wrong).toEqual(["label", "tags[0]"])
  })
})

test("A created record that is sent back completely changes nothing.", () => {
  const letter = fc.constantFrom("a", " ", "é", "e\u0301", "🔩", "ß", "\u00a0")
  const short = (maxLength: number) => fc.option(fc.string({ unit: letter, maxLength }))
  const given = fc.record({
    label: short(5),
    series: short(5),
    notes: short(9),
    price: fc.option(fc.integer({ min: 0, max: 9_999_999_999_999 }).map((units) => units / 10_000)),
    tags: fc.option(fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 3 }), { maxLength: 3 })),
    address: fc.option(fc.record({ street: short(5), city: short(5) })),
    secret: fc.constant("x"),
  })
  fc.assert(
    fc.property(given, (input) => {
      const { values, wrong } = draft(input)
      fc.pre(wrong.length === 0)
      const record = { ...stored, ...values }
      expect(change(record, record)).toEqual({ values, wrong: [], warned: [] })
      // Nor does a second reading of the values: they are in their final form.
      expect(draft({ ...values, secret: "x" }).values).toEqual(values)
    }),
    { numRuns: 150 },
  )
})
