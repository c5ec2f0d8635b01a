import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { Refusal } from "../../core/lib/refusal"
import { orderStatuses, type OrderStatus } from "./model"
import { salesOrders, type OrderHead, type OrderLine } from "./model"
import {
  assertDeletable,
  automaticStatuses,
  billingStatusOf,
  deliveryErrors,
  editable,
  isInvoiced,
  openValueOf,
  reservedBy,
  statusByBilling,
  transitions,
} from "./rules"

const order = (values: Partial<OrderHead>) => ({ orderNumber: "SO-2026-00001", ...values }) as OrderHead
const line = (quantity: number, invoicedQuantity: number) =>
  ({ item: "itm_1", quantity, invoicedQuantity }) as OrderLine

/** A line with a quantity above 0, of which any part is invoiced. */
const someLine = fc
  .integer({ min: 1, max: 1_000 })
  .chain((quantity) =>
    fc
      .oneof(fc.constantFrom(0, quantity), fc.integer({ min: 0, max: quantity }))
      .map((done) => line(quantity, done)),
  )
const someLines = fc.array(someLine, { minLength: 1, maxLength: 6 })

describe("The transitions of an order", () => {
  const reachable = (from: OrderStatus, seen = new Set<OrderStatus>([from])): Set<OrderStatus> => {
    for (const to of transitions[from]) if (!seen.has(to)) reachable(to, seen.add(to))
    return seen
  }

  test("Every status is reachable from draft.", () => {
    expect([...reachable("draft")].toSorted()).toEqual(orderStatuses.toSorted())
  })

  test("No transition returns to a status that the order had before.", () => {
    for (const from of orderStatuses)
      for (const to of transitions[from]) expect([...reachable(to)]).not.toContain(from)
  })

  test("Every order that is not final can be cancelled.", () => {
    for (const from of orderStatuses) {
      const allowed: readonly OrderStatus[] = transitions[from]
      expect(allowed.includes("cancelled")).toBe(allowed.length > 0)
    }
  })

  test("A completed order is reopened only automatically, and a cancelled one never.", () => {
    expect(transitions.completed).toEqual([])
    expect(transitions.cancelled).toEqual([])
    expect(automaticStatuses[automaticStatuses.submitted]).toBe("submitted")
    expect(Object.keys(automaticStatuses)).not.toContain("cancelled")
  })

  test("An automatic status is a status that a caller can reach too.", () => {
    for (const status of Object.values(automaticStatuses)) expect([...reachable("draft")]).toContain(status)
  })

  test("A transition never makes more fields editable.", () => {
    const fieldsIn = (status: OrderStatus) => {
      const names = editable[status]
      return names === "all" ? Object.keys(salesOrders.fields) : names
    }
    for (const from of orderStatuses)
      for (const to of transitions[from])
        for (const name of fieldsIn(to)) expect(fieldsIn(from)).toContain(name)
  })

  test("An editable field is a field that a caller may set.", () => {
    for (const names of Object.values(editable))
      for (const name of names === "all" ? [] : names)
        expect(salesOrders.fields[name as keyof typeof salesOrders.fields].access).not.toBe("readOnly")
  })
})

describe("The invoicing of an order", () => {
  test("A partial invoice does not complete the order.", () => {
    expect(billingStatusOf([line(2, 0), line(3, 0)])).toBe("not_invoiced")
    expect(billingStatusOf([line(2, 2), line(3, 0)])).toBe("partially_invoiced")
    expect(billingStatusOf([line(2, 2), line(3, 2)])).toBe("partially_invoiced")
    expect(billingStatusOf([line(2, 2), line(3, 3)])).toBe("invoiced")
  })

  test("The status of any lines agrees with the sum of their quantities.", () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const ordered = lines.reduce((sum, { quantity }) => sum + quantity, 0)
        const done = lines.reduce((sum, { invoicedQuantity }) => sum + invoicedQuantity, 0)
        expect(isInvoiced(lines)).toBe(done === ordered)
        expect(billingStatusOf(lines)).toBe(
          done === 0 ? "not_invoiced" : done === ordered ? "invoiced" : "partially_invoiced",
        )
      }),
    )
  })

  test("An order is completed exactly when all of it is invoiced.", () => {
    fc.assert(
      fc.property(fc.constantFrom("submitted", "completed"), someLines, (status, lines) => {
        const after = statusByBilling(status, lines)
        expect(after).toBe(isInvoiced(lines) ? "completed" : "submitted")
        expect(statusByBilling(after, lines)).toBe(after)
      }),
    )
  })
})

describe("The reserved stock and the open value of an order", () => {
  test("Only a submitted order reserves stock: the part that is not invoiced yet.", () => {
    fc.assert(
      fc.property(fc.constantFrom(...orderStatuses), someLines, (status, lines) => {
        const reserved = reservedBy({ head: order({ status }), lines })
        expect(reserved).toEqual(
          status === "submitted"
            ? lines.map((each) => ({
                item: each.item ?? "",
                quantity: each.quantity - each.invoicedQuantity,
              }))
            : [],
        )
      }),
    )
  })

  test("The open value is never negative, and 0 unless the order is submitted.", () => {
    expect(openValueOf(order({ status: "submitted", total: 500, invoicedTotal: 120 }))).toBe(380)
    expect(openValueOf(order({ status: "submitted", total: 500, invoicedTotal: 501 }))).toBe(0)
    for (const status of ["draft", "completed", "cancelled"] as const)
      expect(openValueOf(order({ status, total: 500, invoicedTotal: 0 }))).toBe(0)
  })
})

describe("An order can be deleted", () => {
  test.each([
    ["draft", false, true],
    ["draft", true, true],
    ["cancelled", false, true],
    ["cancelled", true, false],
    ["submitted", false, false],
    ["completed", false, false],
    ["completed", true, false],
  ] as const)("The status is %p, an invoice exists: %p. It can be deleted: %p.", (status, invoiced, can) => {
    const remove = () =>
      assertDeletable(order({ status, submittedAt: null }), { wasInvoiced: invoiced, hasLiveInvoice: false })
    if (can) expect(remove).not.toThrow()
    else expect(remove).toThrow(Refusal)
  })

  test("The refusal names the status field and the order.", () => {
    try {
      const submitted = order({ status: "submitted", submittedAt: "2026-03-01T00:00:00.000Z" })
      assertDeletable(submitted, { wasInvoiced: false, hasLiveInvoice: false })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: "DOCUMENT_LOCKED", details: [{ field: "status" }] })
      expect(String(error)).toContain("SO-2026-00001")
    }
  })
})

describe("The delivery date", () => {
  test("It may be the day of the order, and not the day before.", () => {
    expect(deliveryErrors("2026-03-01", "2026-03-01")).toEqual([])
    expect(deliveryErrors("2026-03-01", "2026-02-28")).toMatchObject([{ field: "deliveryDate" }])
    expect(deliveryErrors("0999-12-31", "1000-01-01")).toEqual([])
  })

  test("A date that is missing or was refused is not compared.", () => {
    for (const wrong of [null, undefined, 20260301, ["2026-01-01"], {}]) {
      expect(deliveryErrors("2026-03-01", wrong)).toEqual([])
      expect(deliveryErrors(wrong, "2026-01-01")).toEqual([])
    }
  })
})
