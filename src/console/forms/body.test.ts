import { expect, test } from "bun:test"
import { changedBody, differences, emptyAsNull, newBody } from "./body"

test("Empty inputs are sent as null, also inside an address.", () => {
  expect(emptyAsNull({ name: "Acme", email: "", address: { city: "", zip: "1" }, tags: [""] })).toEqual({
    name: "Acme",
    email: null,
    address: { city: null, zip: "1" },
    tags: [""],
  })
})

test("A new record is sent without nulls, except for fields whose null has a meaning.", () => {
  expect(newBody({ name: "Acme", email: null, expiresAt: null, plan: undefined }, ["expiresAt"])).toEqual({
    name: "Acme",
    expiresAt: null,
  })
})

test("For an existing record, only the changes are sent.", () => {
  expect(changedBody({ name: "Acme", tags: ["a"] }, { name: "Acme", tags: ["a", "b"] })).toEqual({
    tags: ["a", "b"],
  })
  expect(changedBody({ email: null }, { email: undefined })).toEqual({})
})

test("A companion is sent with its field, even if its value is the same.", () => {
  const [before, after] = [
    { customer: "a", terms: "EOM" },
    { customer: "b", terms: "EOM" },
  ]
  expect(changedBody(before, after, { customer: ["terms"] })).toEqual(after)
  expect(changedBody(before, before, { customer: ["terms"] })).toEqual({})
})

test("The differences are the fields that I send and the fields that the other user changed.", () => {
  const before = { name: "Acme", phone: "1", email: "a@b.c" }
  expect(differences(before, { ...before, phone: "2" }, { name: "Ace" })).toEqual([
    { field: "name", mine: "Ace", theirs: "Acme" },
    { field: "phone", mine: undefined, theirs: "2" },
  ])
})
