import { describe, expect, test } from "bun:test"
import { customers } from "../../shop/customers/model"
import { invoices } from "../../shop/invoices/model"
import { items } from "../../shop/items/model"
import { columnsOf, valueIn } from "./columns"

const fieldsIn = (columns: ReturnType<typeof columnsOf>) => columns.map(({ field }) => field)

describe("the columns of a kind", () => {
  test("have the types of its fields, and tell which of them a caller can set", () => {
    const columns = columnsOf(items)
    expect(columns).toContainEqual({ field: "itemCode", type: "text", isSettable: true })
    expect(columns).toContainEqual({
      field: "sellingPrice",
      type: "number",
      isSettable: true,
      money: "price",
    })
    expect(columns).toContainEqual({ field: "currentStock", type: "number", isSettable: false })
    expect(columns).toContainEqual({ field: "images", type: "list", isSettable: true })
    expect(columns).toContainEqual({ field: "metadata", type: "json", isSettable: true })
    expect(columns).toContainEqual({ field: "isActive", type: "boolean", isSettable: true })
  })

  test("name each part of an object", () => {
    expect(fieldsIn(columnsOf(customers))).toContain("shippingAddress.zipCode")
    expect(fieldsIn(columnsOf(customers))).not.toContain("address")
    expect(columnsOf(invoices)).toContainEqual({
      field: "billingAddress.city",
      type: "text",
      isSettable: false,
    })
  })

  test("keep lists and larger objects as one column", () => {
    expect(columnsOf(invoices)).toContainEqual({ field: "items", type: "list", isSettable: true })
    expect(columnsOf(invoices)).toContainEqual({ field: "seller", type: "json", isSettable: false })
  })
})

test("the value of a part is null when its object is", () => {
  expect(valueIn({ address: { city: "Hamburg" } }, "address.city")).toBe("Hamburg")
  expect(valueIn({ address: null }, "address.city")).toBeNull()
  expect(valueIn({ name: "Nordlicht" }, "name")).toBe("Nordlicht")
})
