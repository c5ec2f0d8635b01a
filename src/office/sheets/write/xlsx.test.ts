import { expect, test } from "bun:test"
import { readXlsx } from "hucre/xlsx"
import { xlsxBytes } from "./xlsx"

const columns = [
  { field: "total", title: "total", type: "number", isSettable: false, money: "amount" },
  { field: "price", title: "price", type: "number", isSettable: true, money: "price" },
  { field: "stock", title: "stock", type: "number", isSettable: false },
] as const

async function* batches() {
  yield [{ total: 1250, price: 1.2345, stock: 2.5 }]
}

test.each([
  [0, "#,##0", undefined],
  [2, "#,##0.00", "#,##0.00##"],
  [3, "#,##0.000", "#,##0.000#"],
])(
  "with a currency of %p decimals, an amount has the format %p and a price %p",
  async (digits, amount, price) => {
    const stream = xlsxBytes(batches(), columns, { name: "items", digits })
    const { sheets } = await readXlsx(await new Response(stream).bytes(), { readStyles: true })
    expect(sheets[0]?.rows[1]).toEqual([1250, 1.2345, 2.5])
    const cells = [0, 1, 2].map((i) => sheets[0]?.cells?.get(`1,${i}`)?.style?.numFmt)
    expect(cells).toEqual([amount, price, undefined])
  },
)
