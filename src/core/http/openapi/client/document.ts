/** The parts of an OpenAPI document from which a client is generated. */
export type Document = {
  info: { version: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

export type Operation = {
  operationId: string
  tags: string[]
  summary?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Answer>
}

/** The response of an operation. */
export type Answer = { content?: Content; headers?: Record<string, unknown> }

/** A file has no schema. */
type Content = Record<string, { schema?: Schema }>

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

/** The last part of a reference, which is a name. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** The parameters of an operation in one place, such as the query. */
export function parametersOf({ components }: Document, { parameters = [] }: Operation, place: string) {
  return parameters
    .map((each) => ("$ref" in each ? components.parameters[nameOf(each.$ref)] : each))
    .filter((each) => each !== undefined)
    .filter((each) => each.in === place)
}

/** The schema that a reference names, or the schema itself. */
export function resolved({ components }: Document, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {})
}
