import { Type, type Static } from "@sinclair/typebox"
import { faultSchema, jobFields, mostWarnings, type JobData } from "../jobs/model"
import {
  dateOrders,
  decimalSigns,
  delimiters,
  encodings,
  sheetTypes,
  type GivenFormat,
  type SheetFormat,
} from "../sheets/model"

/** `create` only adds records, `update` only changes them, and `upsert` does either. */
export const importModes = ["create", "update", "upsert"] as const
export type ImportMode = (typeof importModes)[number]

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
}

/** What was recognized in the file. */
export type ImportOutput = { format: SheetFormat; columns: MappedColumn[]; firstRows: string[][] }

export const choice = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>({ type: "string", enum: [...values] })
const orNull = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V | null>({ type: ["string", "null"], enum: [...values, null] })

const mappedColumn = Type.Object({
  column: Type.String({ description: "The title of the column" }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: "The field that it is; null if it is left out",
  }),
  samples: Type.Array(Type.String(), { description: "Some values of the column" }),
  note: Type.Optional(
    Type.Literal("NUMBER_ASSIGNED", {
      description:
        "Kontor assigns the numbers of new records, so an import with the mode `create` does not use the column",
    }),
  ),
})
export type MappedColumn = Static<typeof mappedColumn>

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
        }),
        Type.Null(),
      ]),
      columns: Type.Array(mappedColumn, { description: "Lists of imports leave them out." }),
      firstRows: Type.Array(Type.Array(Type.String()), {
        description:
          "The first five rows of the file, with a text for each column. Lists of imports leave them out.",
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
  row: 1,
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
