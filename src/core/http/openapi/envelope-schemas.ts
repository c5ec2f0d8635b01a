import { Type, type TSchema } from "@sinclair/typebox"
import { detailCodes, type DetailCode, type ErrorParams } from "../../lib/refusal"
import { warningCodes, type WarningCode } from "../../lib/warning"

const Params = Type.Unsafe<ErrorParams>({
  type: "object",
  additionalProperties: true,
  description: "The values that the message contains, to show it in another language",
})

/** Stands for the error codes, which the API document fills in. */
export const errorCodes: readonly string[] = []

/** The response to a refused request. */
export const Failure = Type.Object(
  {
    success: Type.Unsafe<false>({ type: "boolean", const: false }),
    error: Type.Object({
      code: Type.Unsafe<string>({ type: "string", enum: errorCodes }),
      message: Type.String({ examples: ["The item has invalid values."] }),
      params: Type.Optional(Params),
      details: Type.Array(
        Type.Object(
          {
            field: Type.String(),
            code: Type.Unsafe<DetailCode>({ type: "string", enum: [...detailCodes] }),
            message: Type.String(),
            params: Type.Optional(Params),
            existing: Type.Optional(
              Type.String({ description: "With DUPLICATE: the ID of the record that has the value" }),
            ),
            duplicateOf: Type.Optional(
              Type.String({ description: "With DUPLICATE in a batch: the operation that has the value" }),
            ),
            rule: Type.Optional(
              Type.String({ description: "With E_INVOICE_INVALID: the rule of EN 16931 or XRechnung" }),
            ),
          },
          {
            examples: [
              {
                field: "items[0].discount",
                code: "TOO_LARGE",
                message: "must be at most 100",
                params: { max: 100 },
              },
            ],
          },
        ),
      ),
    }),
  },
  { $id: "Error" },
)

export const Warnings = Type.Array(
  Type.Object(
    {
      code: Type.Unsafe<WarningCode>({ type: "string", enum: warningCodes }),
      field: Type.String(),
      message: Type.String(),
      params: Type.Optional(Params),
    },
    {
      examples: [
        {
          code: "INSUFFICIENT_STOCK",
          field: "items[0].quantity",
          message: "DESK: 3 ordered, 1 available.",
          params: { itemCode: "DESK", ordered: 3, available: 1 },
        },
      ],
    },
  ),
  { $id: "Warnings" },
)

export const ListMeta = Type.Object(
  {
    page: Type.Optional(Type.Integer()),
    perPage: Type.Integer(),
    total: Type.Optional(Type.Integer()),
    totalPages: Type.Optional(Type.Integer()),
    hasMore: Type.Boolean(),
    nextCursor: Type.Unsafe<string | null>({ type: ["string", "null"] }),
    sums: Type.Optional(Type.Record(Type.String(), Type.Number())),
  },
  { $id: "ListMeta" },
)

const success = Type.Unsafe<true>({ type: "boolean", const: true })

const expandedPart = (expanded: TSchema | null): Record<string, TSchema> =>
  expanded ? { expanded: Type.Optional(expanded) } : {}

/** The `{ success, data }` envelope of a schema, with the name that generators give to its type. */
export const enveloped = ($id: string, data: TSchema, expanded: TSchema | null = null): TSchema =>
  Type.Object({ success, data, ...expandedPart(expanded), warnings: Type.Optional(Warnings) }, { $id })

export const withMeta = ($id: string, data: TSchema, meta: TSchema): TSchema =>
  Type.Object({ success, data, meta }, { $id })

/** The envelope of a page of a list. */
export const listed = ($id: string, data: TSchema, expanded: TSchema | null = null): TSchema =>
  Type.Object(
    { success, data, ...expandedPart(expanded), warnings: Type.Optional(Warnings), meta: ListMeta },
    { $id },
  )
