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
  deliveryStatusOf,
  editable,
  goneOf,
  isInvoiced,
  leavingBy,
  openValueOf,
  reservedBy,
  statusByBilling,
  statusByDelivery,
  transitions,
} from "./rules"

const order = (values: Partial<OrderHead>) => ({ orderNumber: "SO-2026-00001", ...values }) as OrderHead
const line = (quantity: number, invoicedQuantity: number, deliveredQuantity = 0) =>
  ({ item: "itm_1", quantity, invoicedQuantity, deliveredQuantity }) as OrderLine
/** The lines of these tests have goods, except those without an item. */
const isGoods = ({ item }: OrderLine) => item !== null
const service = (quantity: number, invoicedQuantity: number, deliveredQuantity = 0) =>
  ({ ...line(quantity, invoicedQuantity, deliveredQuantity), item: null }) as OrderLine

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
        const after = statusByBilling(status, lines, isGoods)
        expect(after).toBe(isInvoiced(lines) ? "completed" : "submitted")
        expect(statusByBilling(after, lines, isGoods)).toBe(after)
      }),
    )
  })
})

describe("The delivery of an order", () => {
  test("Services need none, unless the order has nothing else.", () => {
    const statusOf = (...lines: OrderLine[]) => deliveryStatusOf(lines, isGoods)
    expect(statusOf(line(2, 0, 0), service(1, 0, 0))).toBe("not_delivered")
    expect(statusOf(line(2, 0, 0), service(1, 0, 1))).toBe("partially_delivered")
    expect(statusOf(line(2, 0, 1), service(1, 0, 0))).toBe("partially_delivered")
    expect(statusOf(line(2, 0, 2), service(1, 0, 0))).toBe("delivered")
    expect(statusOf(service(1, 0, 1), service(1, 0, 0))).toBe("partially_delivered")
    expect(statusOf(service(1, 0, 1))).toBe("delivered")
  })

  test("An order with deliveries completes when all is invoiced and all goods are delivered, and stays so.", () => {
    const after = (status: OrderStatus, ...lines: OrderLine[]) => statusByDelivery(status, lines, isGoods)
    expect(after("submitted", line(2, 2, 1))).toBe("submitted")
    expect(after("submitted", line(2, 1, 2))).toBe("submitted")
    expect(after("submitted", line(2, 2, 2), service(1, 1, 0))).toBe("completed")
    expect(after("completed", line(2, 2, 1))).toBe("completed")
    expect(statusByBilling("submitted", [line(2, 2, 1)], isGoods)).toBe("submitted")
    expect(statusByBilling("submitted", [line(2, 2, 0)], isGoods)).toBe("completed")
  })

  test("Goods leave once, whatever comes first, and come back when nothing takes them any more.", () => {
    const part = fc.integer({ min: -5, max: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), part)), (steps) => {
        let now = line(10, 0, 0)
        let gone = 0
        for (const [isInvoice, wanted] of steps) {
          const name = isInvoice ? "invoicedQuantity" : "deliveredQuantity"
          const to = Math.min(10, Math.max(0, now[name] + wanted))
          gone += leavingBy(now, { [name]: to - now[name] }).quantity
          now = { ...now, [name]: to }
        }
        expect(gone).toBe(goneOf(now))
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
    const none = { total: 500, depositTotal: 0, deductedTotal: 0 }
    expect(openValueOf(order({ ...none, status: "submitted", invoicedTotal: 120 }))).toBe(380)
    expect(openValueOf(order({ ...none, status: "submitted", invoicedTotal: 501 }))).toBe(0)
    for (const status of ["draft", "completed", "cancelled"] as const)
      expect(openValueOf(order({ ...none, status, invoicedTotal: 0 }))).toBe(0)
  })

  test("A deposit counts as invoiced until it is deducted.", () => {
    const asked = { status: "submitted", total: 500, depositTotal: 200 } as const
    expect(openValueOf(order({ ...asked, invoicedTotal: 0, deductedTotal: 0 }))).toBe(300)
    expect(openValueOf(order({ ...asked, invoicedTotal: 250, deductedTotal: 200 }))).toBe(250)
  })
})

const neither = { wasInvoiced: false, hasLiveInvoice: false, wasDelivered: false, hasLiveDelivery: false }

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
      assertDeletable(order({ status, submittedAt: null }), { ...neither, wasInvoiced: invoiced })
    if (can) expect(remove).not.toThrow()
    else expect(remove).toThrow(Refusal)
  })

  test("The refusal names the status field and the order.", () => {
    try {
      const submitted = order({ status: "submitted", submittedAt: "2026-03-01T00:00:00.000Z" })
      assertDeletable(submitted, neither)
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
