import type { DetailCode, Format, GeneralCode, Rule } from "../../core/lib/refusal"
import type { WarningCode } from "../../core/lib/warning"
import type { VatIdProblem } from "../../shared/documents/vat-ids"
import type { Kind } from "../api/types"
import type en from "./en"
import type { KindTexts } from "./kinds"

type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> }

/** The texts of the frame in one language. A language that lacks one of them does not compile. */
export type FrameTexts = Shape<typeof en>

/** With those of the kinds, which are made from their names. */
export type Texts = FrameTexts & {
  readonly kinds: Readonly<Record<Kind, KindTexts>>
  readonly values: { readonly status: Readonly<Record<string, string>> }
}

/** The texts of one area of the console. */
export type Area<K extends keyof Texts> = Texts[K]

/** Texts for a warning whose parameters say which of several sentences it is. */
export type WarningVariant = "ALREADY_OVER_LIMIT" | `VAT_ID_UNLIKELY_${VatIdProblem["problem"]}`

/**
 * What the server's errors and warnings mean, by their codes and parameters. Kinds declare their own refusals. The server
 * responds in English, so English does not need them.
 */
export type ErrorTexts = {
  readonly codes: Readonly<Record<GeneralCode, string>>
  readonly details: Readonly<
    Record<
      | DetailCode
      | "ABOVE"
      | "ALLOWED"
      | "DECIMALS"
      | "DISCOUNT_KEPT_PERCENT"
      | "TOO_FEW"
      | "TOO_MANY"
      | "TOTAL_TOO_SMALL",
      string
    >
  >
  readonly formats: Readonly<Record<Format, string>>
  readonly rules: Readonly<Record<Rule, string>>
  readonly warnings: Readonly<Record<WarningCode | WarningVariant, string>>
}
