import type { GivenFormat, NumberUnit, SheetColumn, SheetFormat } from "../sheets/model"
import { convert } from "../sheets/read/cells"
import { formOfColumn } from "../sheets/read/numbers"
import type { ImportKind } from "./kind"
import type { Mapping } from "./mapping"
import type { MappedColumn } from "./model"

type Read = { format: SheetFormat; given: GivenFormat; currency: string; today: string }

/** Decides for each column of numbers or dates how these are read, and tells that of numbers. */
export function withForms(
  { fields }: ImportKind,
  mapping: Mapping,
  columns: readonly SheetColumn[],
  { format, given, currency, today }: Read,
): Mapping {
  const plan = mapping.plan.map((planned) => {
    const column = columns[planned.index]
    const field = fields.find(({ name }) => name === planned.field)
    if (planned.type === "date")
      return { ...planned, near: { today, ...(field?.isPast && { latest: today }) } }
    if (planned.type !== "number" || !column) return planned
    const unit = field?.unit ?? null
    const of: NumberUnit | null = unit === "money" ? { currency } : unit
    return { ...planned, number: { ...formOfColumn(column, format, given), unit: of } }
  })
  const shown = mapping.columns.map((each, index): MappedColumn => {
    const form = plan.find((planned) => planned.index === index)?.number
    const column = columns[index]
    if (!form || !column) return each
    const { decimal, isDecimalGuessed } = form
    const text = column.samples.find((sample) => !/^\d+$/.test(sample)) ?? column.samples[0]
    const read = text === undefined ? null : convert(text, "number", format, form)
    const value = read && "value" in read && typeof read.value === "number" ? read.value : null
    const example = text === undefined || value === null ? null : { text, value }
    return { ...each, number: { decimal, isDecimalGuessed, signs: column.signs, example } }
  })
  return { ...mapping, plan, columns: shown }
}
