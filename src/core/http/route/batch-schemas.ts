import { Type } from "@sinclair/typebox"
import type { Resource } from "../../kind/define"
import { mostOperations, operationNames } from "./batch-body"
import { Failure, Warnings } from "../openapi/envelope-schemas"
import { changeExampleOf, ref } from "../openapi/kind-schemas"
import { Written } from "../request/write-only"

const mostBytes = 5 * 1024 * 1024

/** The body of a batch. */
export const batchBody = (kind: Resource) => ({
  isOptional: false,
  mostBytes,
  hasParts: true,
  schema: Type.Object(
    {
      mode: Type.Unsafe({ type: "string", enum: ["each", "all"] }),
      operations: Type.Array(
        Type.Object({
          op: Type.Unsafe({ type: "string", enum: [...operationNames] }),
          id: Type.Optional(Type.String()),
          by: Type.Optional(Type.Object({ field: Type.String(), value: Type.String() })),
          ifMatch: Type.Optional(
            Type.String({ description: "The ETag or the version that the record must have." }),
          ),
          body: Type.Optional(
            Type.Unsafe({ anyOf: [ref(`${kind.title}Change`), ref(`${kind.title}Draft`)] }),
          ),
        }),
        { minItems: 1, maxItems: mostOperations.each },
      ),
    },
    { $id: `${kind.title}Batch` },
  ),
  example: {
    mode: "each",
    operations: [{ op: "update", by: keyExampleOf(kind), body: changeExampleOf(kind) }],
  },
})

/** A key of a record, as a variable of the samples. */
const keyExampleOf = ({ fields }: Resource) =>
  fields.externalId ? { field: "externalId", value: "$EXTERNAL_ID" } : { field: "code", value: "$CODE" }

/** The response to a batch. */
export const resultsSchema = (kind: Resource) =>
  Type.Object(
    {
      results: Type.Array(
        Type.Object({
          status: Type.Integer(),
          data: Type.Optional(Type.Unsafe({ anyOf: [ref(kind.title), Written, { type: "null" }] })),
          warnings: Type.Optional(Warnings),
          error: Type.Optional(Failure.properties.error),
        }),
      ),
    },
    { $id: `${kind.title}BatchResults` },
  )
