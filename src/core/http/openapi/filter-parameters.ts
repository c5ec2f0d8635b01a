import { Type, type TSchema } from "@sinclair/typebox"
import { fieldsOf, type Resource } from "../../kind/define"
import { statusWords, type Field, type ValueKind } from "../../kind/field"
import { longestPattern, longestValue, operatorsOf, type Operator } from "../../store/filter"
import type { Parameter } from "../route/route"

const text = Type.String({ $id: "TextFilter", minLength: 1, maxLength: longestValue })
const number = Type.Number({ $id: "NumberFilter" })

/** The schema of the value that a field is compared with, by the type of the field. */
const byKind: Record<Exclude<ValueKind, "json" | "status">, TSchema> = {
  text,
  prose: text,
  choice: Type.String({ $id: "ChoiceFilter", description: "One of the values of the field." }),
  reference: Type.String({ $id: "IdFilter", maxLength: longestValue }),
  decimal: number,
  amount: number,
  integer: Type.Integer({ $id: "IntegerFilter" }),
  boolean: Type.Boolean({ $id: "BooleanFilter" }),
  date: Type.String({ $id: "DateFilter", format: "date", examples: ["2026-03-01"] }),
  timestamp: Type.String({
    $id: "TimestampFilter",
    description: "A timestamp such as 2026-03-01T09:30:00Z, or a date, which means the whole UTC day.",
  }),
}

/** The schema of the value of an operator that does not compare with one value of the field. */
const byOperator: Partial<Record<string, TSchema>> = {
  in: Type.String({ $id: "ListFilter", description: "Up to 100 values, separated by commas." }),
  like: Type.String({
    $id: "PatternFilter",
    minLength: 1,
    maxLength: longestPattern,
    description: "`%` and `_` are wildcards, `\\` escapes them. Without a wildcard it means contains.",
  }),
  null: Type.Boolean({ $id: "NullFilter", description: "true: the field has no value; false: it has one." }),
}

const filter = (name: string, schema: TSchema): Parameter => ({ name, in: "query", schema })

/** The filters of a list: `field`, which means `eq`, and `field[operator]` for each operator of each field. */
export const filterParameters = (resource: Resource): Parameter[] =>
  fieldsOf(resource).flatMap(([name, field]) => [
    ...(field.kind === "json" ? [] : [filter(name, schemaOf(field))]),
    ...operatorsOf(field).map((operator) => ofOperator(name, field, operator)),
  ])

const ofOperator = (name: string, field: Field, operator: Operator): Parameter =>
  filter(`${name}[${operator}]`, byOperator[operator] ?? schemaOf(field))

const schemaOf = ({ kind }: Field): TSchema =>
  kind === "status" ? anyStatus() : byKind[kind as keyof typeof byKind]

/** The kinds are defined when the document is written. */
const anyStatus = () => Type.Unsafe({ $id: "StatusFilter", type: "string", enum: statusWords() })

/** True for a parameter such as `orderDate[gte]`. */
export const hasOperator = (name: string): boolean => name.endsWith("]")
