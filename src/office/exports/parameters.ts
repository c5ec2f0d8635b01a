import { Type } from "@sinclair/typebox"
import { hasOperator } from "../../core/http/openapi/filter-parameters"
import { listParameters, query } from "../../core/http/openapi/parameters"
import type { Parameter } from "../../core/http/route/route"
import type { Resource } from "../../core/kind/define"
import { decimalSigns } from "../sheets/model"
import { exportFormats, titleForms } from "./model"
import { delimiterNames } from "./query"

const wordOf = (words: readonly string[]) =>
  Type.Unsafe({ type: "string", enum: [...words], default: words[0] })

/** The parameters that say how a file is written. */
const ofFile: Parameter[] = [
  query("format", "The format of the file.", wordOf(exportFormats)),
  query("delimiter", "What separates the cells of a CSV file.", wordOf(delimiterNames)),
  query("decimal", "The decimal sign of numbers in a CSV file.", wordOf(decimalSigns)),
  query(
    "bom",
    "With `true`, a CSV file begins with a byte order mark, by which Excel recognizes UTF-8.",
    Type.Boolean({ default: false }),
  ),
  query(
    "titles",
    "The titles of a table: the names of fields, or their titles in a language. An import recognizes both. The values are the same.",
    wordOf(titleForms),
  ),
  query(
    "fields",
    "The fields of the file, separated by commas; `*` for all. A table can also have parts of objects such as `address.city`. By default, a table of items or customers has the fields that an import can set, and a table of another kind has no lists.",
    Type.String({ examples: ["id,createdAt"] }),
  ),
]

const order = query(
  "order",
  "The sort direction.",
  Type.Unsafe({ type: "string", enum: ["asc", "desc"], default: "asc" }),
)

/** The parameters of a list that an export has not: they name a page, or it has its own. */
const notInExports = ["page", "perPage", "cursor", "expand", "sum", "fields", "order"]

const known = new WeakMap<Resource, Parameter[]>()

/**
 * The query parameters of an export: those of a file, and the filters, search and order of the list. A filter is described
 * once, and not again with each operator: the list describes them.
 */
export function exportParameters(kind: Resource): Parameter[] {
  const parameters = known.get(kind) ?? [
    ...ofFile,
    order,
    ...listParameters(kind).filter(({ name }) => !notInExports.includes(name) && !hasOperator(name)),
  ]
  known.set(kind, parameters)
  return parameters
}
