import { beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import type { Invoice } from "../../../console/api/types"
import { amountOf } from "./amount-of"

beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: {} } } }))

const shown = (status: Invoice["status"], total: number, balance: number) =>
  amountOf({ status, total, balance, currency: "EUR" })

test("the amount of an invoice is what is left to pay, also if it was lowered before anything was paid", () => {
  // A deposit was deducted.
  expect(shown("unpaid", 50, 37.5)).toContain("37.50")
  expect(shown("unpaid", 50, 37.5)).toContain("open")
  expect(shown("partially_paid", 50, 20)).toContain("20.00")
  expect(shown("unpaid", 50, 50)).not.toContain("open")
  for (const status of ["paid", "draft", "cancelled", "credited"] as const)
    expect(shown(status, 50, 0)).toContain("50.00")
})
