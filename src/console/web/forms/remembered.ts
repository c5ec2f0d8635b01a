import { t } from "../texts"

/** The values that this device remembers as the default of the next new record. */
type Name = "paymentMethod" | "uom" | "taxRate"

const keyOf = (name: Name) => `kontor.last.${name}`

export const remembered = (name: Name): string | null => localStorage.getItem(keyOf(name))

export const remember = (name: Name, value: string | number | null): void =>
  localStorage.setItem(keyOf(name), String(value ?? ""))

/** Remembers a payment method if it is one of the usual ones or was used twice, so that a typing error is not offered. */
export function rememberMethod(method: string | null, usual: readonly string[]): void {
  const onceKey = `${keyOf("paymentMethod")}.once`
  const isKnown = method === null || usual.includes(method) || localStorage.getItem(onceKey) === method
  if (isKnown) remember("paymentMethod", method)
  else localStorage.setItem(onceKey, method)
}

/** The unit and the tax rate of the last item that was created on this device. */
export const lastItem = () => ({
  uom: remembered("uom") || t(($) => $.items.defaultUnit),
  taxRate: Number(remembered("taxRate")) || 0,
})

export function rememberItem({ uom, taxRate }: { uom: string; taxRate: number }): void {
  remember("uom", uom)
  remember("taxRate", taxRate)
}
