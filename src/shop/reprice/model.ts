import { Type, type Static } from "@sinclair/typebox"
import { jobSchema, type JobData } from "../../office/jobs/model"

/** The job kind. */
export const repriceKind = "reprice"

/** A change of prices, in 1/10000. */
export type PriceChange = {
  by: "percent" | "amount"
  value: number
  /** New prices are multiples of it. */
  step: number
  /** What new prices have after the decimal sign; null for any multiple of the step. */
  ending: number | null
}

/** A price change and the items that it applies to: the query string of their list. */
export type Reprice = { filter: string; change: PriceChange }

/**
 * The parameters of a job, with the number of items when it was started, for its progress. `undoes` is the job whose
 * prices it takes back; then the filter and the change have no meaning.
 */
export type RepriceInput = Reprice & { expected: number; undoes?: string }

/** The days in which a change of prices can be taken back. */
export const undoDays = 7

export const countNames = ["matched", "updated", "unchanged", "failed"] as const
export type Counts = Record<(typeof countNames)[number], number>

/** How far a job has come. */
export type RepriceState = {
  /** Where a job that is interrupted goes on: `checking` begins again, `applying` goes on after the position. */
  stage: "checking" | "applying"
  /** The number of targets that were stored. */
  targets: number
  /** The position of the next target. */
  position: number
  counts: Counts
  faultCount: number
}

export const firstState: RepriceState = {
  stage: "checking",
  targets: 0,
  position: 0,
  counts: { matched: 0, updated: 0, unchanged: 0, failed: 0 },
  faultCount: 0,
}

/** What a job does to one item. Prices are in 1/10000. */
export type Target = { record: string; before: number; after: number }

/** The same with its place in the job. */
export type PlacedTarget = Target & { position: number }

const preview = Type.Array(
  Type.Object({
    id: Type.String(),
    itemCode: Type.String(),
    itemName: Type.String(),
    before: Type.Number({ description: "The selling price" }),
    after: Type.Union([Type.Number(), Type.Null()], {
      description:
        "The new selling price; null if it would be negative or too large, so that the price stays",
    }),
  }),
  { description: "The first ten items by their code", maxItems: 10 },
)
const matched = Type.Integer({ minimum: 0, description: "The number of items that match the filter" })

const count = (description: string) => Type.Integer({ minimum: 0, description })
const previewCounts = Type.Object(
  {
    matched,
    updated: count("Prices that would change"),
    unchanged: count("Prices that would stay the same"),
    belowZero: count("Prices that would be negative, and so stay as they are"),
    tooLarge: count("Prices that would be too large, and so stay as they are"),
  },
  { description: "What would become of all items that match the filter" },
)
export type PreviewCounts = Static<typeof previewCounts>

/** The number of items, and the prices of the first ones. */
export type RepricePreview = { matched: number; preview: Static<typeof preview> }

/** The response to a dry run. */
export const repricePreviewSchema = Type.Object(
  { matched, counts: previewCounts, preview },
  { $id: "RepricePreview" },
)

/** The response to a request that starts a job. */
export const repriceSchema = Type.Object({ ...jobSchema.properties, matched, preview }, { $id: "Reprice" })

/** The job stores these as JSON objects. */
export const inputOf = (input: JobData): RepriceInput => input as RepriceInput
export const stateOf = (state: JobData): RepriceState => state as RepriceState
