import { expect, test } from "bun:test"
import { serverBodyOf, serverValuesOf } from "./values"

test("A secret that was left empty is not sent, which keeps the one that is saved.", () => {
  const values = serverValuesOf(null)
  const body = serverBodyOf({ ...values, host: "smtp.shop.example", port: "465" })
  expect(body).toMatchObject({ host: "smtp.shop.example", port: 465, from: null, oauth: { clientId: null } })
  expect(Object.keys(body)).not.toContain("password")
  expect(Object.keys(body.oauth).toSorted()).toEqual(["clientId", "scope", "tokenUrl"])
  const oauth = { ...values.oauth, clientSecret: "secret" }
  expect(serverBodyOf({ ...values, password: "geheim", oauth })).toMatchObject({
    password: "geheim",
    oauth: { clientSecret: "secret" },
  })
})

test("An app that signs in by itself removes the token of a person.", () => {
  const values = serverValuesOf(null)
  const oauth = { ...values.oauth, clientSecret: "secret", scope: "https://outlook.office365.com/.default" }
  expect(serverBodyOf({ ...values, oauth }).oauth).toMatchObject({ refreshToken: null })
})

test("A port that is no number is sent as it was typed, so that the server refuses it at its field.", () => {
  expect(serverBodyOf({ ...serverValuesOf(null), port: "4 6 5" })).toMatchObject({ port: "4 6 5" })
})
