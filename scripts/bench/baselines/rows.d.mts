type Row = (string | number)[]
export type Sold = {
  id: string
  item_code: string
  item_name: string
  uom: string
  selling_price: number
  tax_rate: number
}
export const insertItem: string
export const insertOrder: string
export const insertLine: string
export const selectSold: string
export function itemRow(input: Record<string, unknown>): [string, ...Row]
export function orderRow(input: Record<string, unknown>): [string, ...Row]
export function lineRow(
  order: string,
  position: number,
  line: Record<string, unknown>,
  item: Sold | null,
): Row
