import type { TSchema } from "@sinclair/typebox"
import type { Parameter } from "../route/route"

type Shared = {
  parameters: Record<string, Parameter>
  /** Returns a reference to a shared parameter, or the parameter itself. */
  refer(parameter: Parameter): Parameter | { $ref: string }
}

/** A parameter of fewer operations stays in them: there it is easier to read, and sharing it would save little. */
const fewest = 4

/**
 * Collects the parameters that many operations have, such as `page` or `createdAt[gte]`, so that the document contains
 * each once.
 */
export function sharedParameters(
  lists: readonly (readonly Parameter[])[],
  named: (schema: TSchema) => TSchema,
): Shared {
  const uses = new Map<string, number>()
  const written = new Map<Parameter, { parameter: Parameter; text: string }>()
  for (const given of lists.flat()) {
    const known = written.get(given) ?? write({ ...given, schema: named(given.schema) })
    written.set(given, known)
    uses.set(known.text, (uses.get(known.text) ?? 0) + 1)
  }
  const texts = new Map<string, string>()
  const parameters: Record<string, Parameter> = {}
  for (const { parameter, text } of written.values()) {
    const name = componentName(parameter)
    if (parameter.in === "path" || (uses.get(text) ?? 0) < fewest || name in parameters) continue
    parameters[name] = parameter
    texts.set(name, text)
  }
  return {
    parameters,
    refer(given) {
      const { parameter, text } = written.get(given) ?? write(given)
      const name = componentName(parameter)
      return texts.get(name) === text ? { $ref: `#/components/parameters/${name}` } : parameter
    },
  }
}

const write = (parameter: Parameter) => ({ parameter, text: JSON.stringify(parameter) })

/** `orderDate[gte]` → `orderDate.gte`: the name of a component has no brackets. */
const componentName = ({ name }: Parameter): string => name.replace("[", ".").replace("]", "")
