import { Type, type Static, type TUnsafe } from "@sinclair/typebox"
import { nullableSchema } from "../../core/kind/object"
import { faultSchema, jobFields, mostWarnings, type JobData } from "../jobs/model"
import {
  dateOrders,
  decimalSigns,
  delimiters,
  encodings,
  sheetTypes,
  type BeginningRow,
  type GivenFormat,
  type SheetFormat,
} from "../sheets/model"
import { type PriceSense, priceSenses } from "../sheets/title-form"

/** `create` only adds records, `update` only changes them, and `upsert` does either. */
export const importModes = ["create", "update", "upsert"] as const
export type ImportMode = (typeof importModes)[number]

/** What becomes of a row to create that is a record which exists: it is created all the same, left out, or updates it. */
export const duplicateChoices = ["create", "skip", "update"] as const
export type DuplicateChoice = (typeof duplicateChoices)[number]

/** The parameters of an import, as its job stores them. */
export type ImportInput = {
  kind: string
  mode: ImportMode
  dryRun: boolean
  skipInvalid: boolean
  fileName: string | null
  /** The column of each field that the caller has named; null to leave the field out. */
  mapping: Record<string, string | null>
  given: GivenFormat
  /** Whether the prices of a field include tax, where the caller says it. */
  prices?: Readonly<Record<string, PriceSense>>
  /** False to import rows of sums at the end of the file. */
  skipTotals?: boolean
  duplicates?: DuplicateChoice
  /** Identifies the request, for an Idempotency-Key. */
  fingerprint: string
}

export const countNames = ["rows", "valid", "invalid", "created", "updated", "unchanged", "failed"] as const
export type Counts = Record<(typeof countNames)[number], number>
export const noCounts = Object.fromEntries(countNames.map((name) => [name, 0])) as Counts

/** How far an import has come. */
export type ImportState = {
  stage: "checking" | "applying"
  /** The last row that was written. */
  row: number
  counts: Counts
  faultCount: number
  warningCount: number
  /** The rows of sums at the end of the file, which are left out. */
  skipped?: SkippedRow[]
  /** The job that undoes the import, the last one if there were several. */
  undo?: string
}

export type SkippedRow = Static<typeof skippedRow>

/** What was recognized in the file. */
export type ImportOutput = {
  format: SheetFormat
  columns: MappedColumn[]
  firstRows: string[][]
  beginning?: BeginningRow[]
}

export const choice = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>({ type: "string", enum: [...values] })
const orNull = <const V extends string>(values: readonly V[]) =>
  nullableSchema({ schema: choice(values), nullable: true }) as TUnsafe<V | null>

const mappedColumn = Type.Object({
  column: Type.String({ description: "The title of the column" }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: "The field that it is; null if it is left out",
  }),
  samples: Type.Array(Type.String(), { description: "Some values of the column" }),
  note: Type.Optional(
    Type.Literal("NUMBER_ASSIGNED", {
      description:
        "A number that Kontor could still assign is not kept: a new record gets the next number. Other numbers are kept",
    }),
  ),
  number: Type.Optional(
    Type.Object(
      {
        decimal: choice(decimalSigns),
        isDecimalGuessed: Type.Boolean(),
        signs: Type.Array(Type.String(), {
          description: "Signs of currencies and of percent that are left out: `€`, `CHF`, `%`",
        }),
        example: Type.Union([Type.Object({ text: Type.String(), value: Type.Number() }), Type.Null()], {
          description: "One of the values, and the number that it is read as",
        }),
      },
      { description: "How the numbers of the column are read. Other columns do not have it" },
    ),
  ),
  prices: Type.Optional(
    Type.Unsafe<PriceSense>({
      type: "string",
      enum: [...priceSenses],
      description: "Whether the prices of the column include tax, as `prices` or the title says",
    }),
  ),
  isConverted: Type.Optional(
    Type.Boolean({ description: "True when the prices are converted with the tax rate of their row" }),
  ),
})
export type MappedColumn = Static<typeof mappedColumn>

const skippedRow = Type.Object({
  row: Type.Integer({ description: "The number of the row, as a spreadsheet shows it" }),
  text: Type.String({ description: "What it says, cut to 60 characters" }),
})

const beginningRow = Type.Object({
  row: Type.Integer(),
  cells: Type.Array(Type.String()),
})

/** An import in the form of a response. `kinds` are the names of all kinds of import. */
export const importSchema = (kinds: readonly string[]) =>
  Type.Object(
    {
      id: Type.String({ pattern: "^imp_[0-9a-z]{26}$" }),
      kind: choice(kinds),
      mode: choice(importModes),
      dryRun: Type.Boolean(),
      skipInvalid: Type.Boolean(),
      fileName: Type.Union([Type.String(), Type.Null()]),
      ...jobFields,
      counts: Type.Object(
        Object.fromEntries(countNames.map((name) => [name, Type.Integer({ minimum: 0 })])) as Record<
          keyof Counts,
          ReturnType<typeof Type.Integer>
        >,
        {
          description:
            "`rows` are those that were read: all rows of the file, unless the import ended during its check. In a dry run, the others say what would be created, updated or left as it is.",
        },
      ),
      warnings: Type.Array(faultSchema, {
        description: `What should be known of rows that are not wrong, with the codes and parameters of warnings: the first ${mostWarnings}. Lists of imports leave them out.`,
        maxItems: mostWarnings,
      }),
      warningCount: Type.Integer({ minimum: 0 }),
      format: Type.Union([
        Type.Object({
          type: choice(sheetTypes),
          encoding: orNull(encodings),
          delimiter: orNull(delimiters),
          decimal: choice(decimalSigns),
          isDecimalGuessed: Type.Boolean({
            description: "True when no number of the file tells the decimal sign",
          }),
          dateOrder: choice(dateOrders),
          isDateOrderGuessed: Type.Boolean({
            description: "True when no date of the file tells the order of day, month and year",
          }),
          headingRow: Type.Integer({
            minimum: 0,
            description: "The number of the row that has the titles of the columns; 0 in NDJSON",
          }),
        }),
        Type.Null(),
      ]),
      columns: Type.Array(mappedColumn, { description: "Lists of imports leave them out." }),
      firstRows: Type.Array(Type.Array(Type.String()), {
        description:
          "The first five rows of the file, with a text for each column. Lists of imports leave them out.",
      }),
      beginning: Type.Array(beginningRow, {
        description:
          "The first ten rows of the file, also those above the titles, with up to 12 of their cells. Lists of imports leave them out.",
      }),
      skippedRows: Type.Array(skippedRow, {
        description: "Rows of sums at the end of the file, which are left out unless `skipTotals` is false.",
      }),
      canUndo: Type.Boolean({
        description: "True when the import has ended and records that it wrote can be taken back",
      }),
      undoJob: Type.Union([Type.String(), Type.Null()], {
        description: "The job that has undone the import or is undoing it: `GET /jobs/{id}`",
      }),
      undoneAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
        description: "When the import was undone last. If `canUndo` is still true, a part of it was not",
      }),
      undoneBy: Type.Union([Type.String(), Type.Null()], {
        description: "The name of the user who did that",
      }),
    },
    { $id: "Import" },
  )
export type Import<K extends string = string> = Omit<Static<ReturnType<typeof importSchema>>, "kind"> & {
  kind: K
}

/** An import at its beginning. */
export const blankState: ImportState = {
  stage: "checking",
  row: 0,
  counts: noCounts,
  faultCount: 0,
  warningCount: 0,
}

/** The job stores these as JSON objects. */
export const inputOf = (input: JobData): ImportInput => input as ImportInput
export const stateOf = (state: JobData): ImportState =>
  "stage" in state ? { ...blankState, ...(state as ImportState) } : { ...blankState, counts: { ...noCounts } }
export const outputOf = (output: JobData): ImportOutput | null =>
  "format" in output ? (output as ImportOutput) : null
