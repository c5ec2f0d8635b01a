/** The values that this device remembers as the default of the next new record. */
type Name = "paymentMethod" | "uom" | "taxRate"

const keyOf = (name: Name) => `kontor.last.${name}`

export const remembered = (name: Name): string | null => localStorage.getItem(keyOf(name))

export const remember = (name: Name, value: string | number | null): void =>
  localStorage.setItem(keyOf(name), String(value ?? ""))

/** The unit and the tax rate of the last item that was created on this device. */
export const lastItem = () => ({
  uom: remembered("uom") || "Nos",
  taxRate: Number(remembered("taxRate")) || 0,
})

export function rememberItem({ uom, taxRate }: { uom: string; taxRate: number }): void {
  remember("uom", uom)
  remember("taxRate", taxRate)
}
