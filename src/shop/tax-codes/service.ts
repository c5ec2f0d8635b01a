import type { Core } from "../../core/folder"
import { cacheOf } from "../../core/write/cache"
import type { Tx } from "../../core/write/writer"
import { fieldError, type FieldError, missingReference } from "../../core/lib/refusal"
import { tableCrud } from "../../core/store/crud"
import { type Draft, type Input, readChange } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import { recordInUse } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import type { Settings } from "../../office/settings/model"
import { type TaxCode, taxCodes } from "./model"
import { categoriesWithReason } from "../../shared/documents/tax"
import type { Database } from "../../core/engine/engine"
import { priceDigits, toUnits } from "../../shared/decimal"
import { related } from "../../core/http/answer/expand"
import { listOf } from "../../core/engine/sql"
import type { NamedTaxCode } from "../../trade/needs"

type Needs = Core & { settings: () => Settings }

export function taxCodeService({ db, storeOf, settings }: Needs) {
  const crud = tableCrud(taxCodes, storeOf(taxCodes))
  const cached = cacheOf(db, (id) => findTaxCode(db, id))
  return {
    ...crud,
    /** For `expand`. */
    asRelated: related(taxCodes, crud),
    create: (tx: Tx, draft: Draft) =>
      crud.create(tx, { ...draft, errors: [...draft.errors, ...kindErrors(draft.values as TaxCode)] }),

    update(tx: Tx, id: string, input: Input, expected: Expected) {
      const before = crud.get(id)
      const after: TaxCode = { ...before, ...readChange(taxCodes, before, input, [], []) }
      const isDefault = settings().defaultTaxCode === id
      const errors = [...kindErrors(after), ...fixedErrors(before, after), ...defaultErrors(after, isDefault)]
      cached.forget(tx)
      return crud.revise(tx, id, input, expected, errors)
    },

    remove(tx: Tx, id: string, expected: Expected): void {
      const record = crud.get(id)
      assertVersion(record, expected)
      if (record.isUsed) throw recordInUse(taxCodes)
      cached.forget(tx)
      crud.remove(tx, id, expected)
    },

    /** Returns the data that items, settings and lines need, with the rate in 1/10000. */
    find: (id: string) => cached.get(id),

    /** Returns the only active code of taxed sales with this rate, as a plain number; null if there is none or another. */
    ofRate(rate: number): string | null {
      const found = db
        .query<{ id: string }, [number | null]>(
          "SELECT id FROM tax_codes WHERE is_active = 1 AND category = 'S' AND rate = ? LIMIT 2",
        )
        .all(toUnits(rate, priceDigits))
      return found.length === 1 ? (found[0]?.id ?? null) : null
    },

    /** Returns the errors of naming a tax code. An inactive code may stay where it is, but not be chosen. */
    choiceErrors(field: string, id: string, before: string | null = null): FieldError[] {
      const found = cached.get(id)
      if (!found) return [missingReference(field, id)]
      if (found.isActive || id === before) return []
      return [fieldError(field, "RULE", `${found.code} is inactive`, { rule: "INACTIVE", name: found.code })]
    },

    /** Stores that a record names these tax codes. From then on their category and rate do not change. */
    markUsed(tx: Tx, ids: Iterable<string>): void {
      const unused = [...new Set(ids)].filter((id) => cached.get(id)?.isUsed === false)
      if (unused.length === 0) return
      for (const used of setUsed(db, unused, tx.now)) noteFigures(tx, taxCodes, used, ["isUsed"])
      cached.forget(tx)
    },
  }
}

export type TaxCodeService = ReturnType<typeof taxCodeService>

/** The values of a tax code that depend on each other. A value that is missing or wrong is null or undefined. */
type Kind = { [K in "category" | "rate" | "reason"]: TaxCode[K] | null | undefined }

/** Only the category S has a rate, and some categories need a reason. */
function kindErrors({ category, rate, reason }: Kind): FieldError[] {
  if (!category) return []
  const errors: FieldError[] = []
  if (category === "S" && rate === 0)
    errors.push(
      fieldError("rate", "TOO_SMALL", "must be greater than 0 in the category S", { above: 0, category }),
    )
  if (category !== "S" && rate)
    errors.push(
      fieldError("rate", "TOO_LARGE", `must be 0 in the category ${category}`, { max: 0, category }),
    )
  if (reason === null && categoriesWithReason.includes(category))
    errors.push(fieldError("reason", "REQUIRED", `is required in the category ${category}`, { category }))
  return errors
}

/** Documents were made with the category and the rate of a used code, so these two stay as they are. */
const fixedErrors = (before: TaxCode, after: Kind): FieldError[] =>
  before.isUsed
    ? (["category", "rate"] as const)
        .filter((name) => (after[name] ?? before[name]) !== before[name])
        .map((name) =>
          fieldError(name, "RULE", "cannot be updated, because the tax code is used: create a new one", {
            rule: "IN_USE",
          }),
        )
    : []

/** The default tax code of the settings serves new items, so it stays active. */
const defaultErrors = ({ isActive }: Pick<TaxCode, "isActive">, isDefault: boolean): FieldError[] =>
  isDefault && !isActive
    ? [
        fieldError("isActive", "RULE", "must be true while this is the default tax code of the settings", {
          rule: "IN_USE",
        }),
      ]
    : []

type Row = Omit<NamedTaxCode, "isActive" | "isUsed"> & { isActive: number; isUsed: number }

function findTaxCode(db: Database, id: string): NamedTaxCode | null {
  const row = db
    .query<Row, [string]>(
      `SELECT id, code, category, rate, reason, is_active AS isActive, is_used AS isUsed FROM tax_codes WHERE id = ?`,
    )
    .get(id)
  return row && { ...row, isActive: row.isActive === 1, isUsed: row.isUsed === 1 }
}

/** Stores that other records name these tax codes. Returns those that no record named before. */
const setUsed = (db: Database, ids: readonly string[], now: string): { id: string; version: number }[] =>
  db
    .query<{ id: string; version: number }, [string, string]>(
      `UPDATE tax_codes SET is_used = 1, change_count = change_count + 1, updated_at = ?2
       WHERE id IN ${listOf("?1")} AND is_used = 0 RETURNING id, version`,
    )
    .all(JSON.stringify(ids), now)
