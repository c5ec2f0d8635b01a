import { expect, test } from "bun:test"
import { failureCodes, NoResponse } from "../src/office/webhooks/failure"
import { reasonIn } from "../src/office/mail/page/reasons"

/** What only webhooks are told. */
const others = ["ADDRESS_REFUSED", "NOT_HTTP", "HEAD_TOO_LONG", "NOT_ALLOWED"]

test("Every reason for a connection without an answer has a German sentence.", () => {
  const params = { host: "smtp.shop.example", seconds: 5, reason: "EX" }
  for (const code of failureCodes.filter((each) => !others.includes(each))) {
    const { message } = new NoResponse(code, params)
    expect([code, reasonIn("de", message)]).not.toEqual([code, message])
    expect(reasonIn("en", message)).toBe(message)
  }
  expect(reasonIn("de", "The name smtp.shop.example could not be resolved.")).toContain("smtp.shop.example")
})

test("What is unknown stays as it is.", () => {
  expect(reasonIn("de", "Something else.")).toBe("Something else.")
})
