import { draftTools, type Resource } from "../../core/kind/define"
import type { Input } from "../../core/kind/read"
import { dryRunName, kindSchemas } from "../../core/http/openapi/kind-schemas"
import type { Route } from "../../core/http/route/route"
import { once } from "../../core/lib/shared-runs"
import { fitted } from "./fit"
import { closed, plain, text, type Schema } from "./schema"
import { noted, notes, refused, succeeded, type Tool } from "./tool"

/** A kind whose drafts assistants create, with the route that creates its records. */
export type Drafted = { kind: Resource; route: Route }

/** The arguments that are not part of the draft. */
const others: Record<string, Schema> = {
  dryRun: { type: "boolean", description: "Only check the draft and compute its amounts; nothing is stored" },
  idempotencyKey: text(
    "For 24 hours, the same call with the same key creates one draft, however often it is repeated",
    {
      minLength: 1,
      maxLength: 255,
    },
  ),
}

/** The tools that create drafts, in their order. */
export const draftToolsOf = (
  drafted: readonly Drafted[],
  kinds: readonly Resource[],
  linkTo: (kind: Resource, id: string) => string | null,
): Tool[] =>
  draftTools.flatMap((name) => {
    const found = drafted.find(({ kind }) => kind.draftTool === name)
    return found ? [draftTool(name, found, kinds, linkTo)] : []
  })

function draftTool(
  name: string,
  { kind, route }: Drafted,
  kinds: readonly Resource[],
  linkTo: (kind: Resource, id: string) => string | null,
): Tool {
  const schemas = once(() => kindSchemas(kind, kinds))
  const { noun, onCreate = {} } = kind
  return {
    name,
    rights: route.may ? [route.may] : [],
    title: `Draft a${/^[aeiou]/i.test(noun) ? "n" : ""} ${noun}`,
    description: () =>
      `Creates a draft of a${/^[aeiou]/i.test(noun) ? "n" : ""} ${noun}, which has no effect until a person goes on with it in Kontor: no tool can do that. Find the customer and the items with search first. Leave out what the user has not said: prices, taxes, terms and dates have defaults.`,
    input() {
      const { properties, required } = plain(schemas()[`${kind.title}Draft`] ?? {}) as {
        properties: Record<string, Schema>
        required: string[]
      }
      // What creating may do beyond storing a draft, such as issuing it.
      const own = Object.entries(properties).filter(([field]) => !(field in onCreate))
      return closed({ ...Object.fromEntries(own), ...others }, required)
    },
    output() {
      // Only the types, and no field required: a dry run has no number, and some callers may not read what they write.
      const { required: _, description: __, ...record } = plain(schemas()[dryRunName(kind.title)] ?? {})
      return closed({ record, ...notes }, ["record"])
    },
    writes: true,
    limit:
      " It only creates drafts: no tool submits, issues, sends or pays anything. People do that in Kontor.",
    async run({ dryRun, idempotencyKey, ...draft }, send) {
      if (dryRun !== undefined && typeof dryRun !== "boolean")
        return { problem: "dryRun must be true or false." }
      if (idempotencyKey !== undefined && !/^[!-~][ -~]{0,254}$/.test(String(idempotencyKey)))
        return { problem: "idempotencyKey must be 1 to 255 printable characters." }
      const answer = await send({
        method: "POST",
        path: route.path,
        ...(dryRun ? { query: { dryRun: "true" } } : {}),
        body: { ...draft, ...("status" in onCreate ? { status: "draft" } : {}) },
        headers: idempotencyKey === undefined ? {} : { "idempotency-key": String(idempotencyKey) },
      })
      if (!succeeded(answer)) return refused(answer)
      const { record, notes: left } = fitted(answer.body.data as Input, 1, "call get")
      const link = dryRun ? null : linkTo(kind, String(record["id"]))
      const next = dryRun
        ? "Nothing was stored."
        : `It is a draft. A person has to check it and go on with it in Kontor${link ? `: ${link}` : "."}`
      return { data: noted({ record }, [next, ...left], answer) }
    },
  }
}
