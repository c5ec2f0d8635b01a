import { Type, type TSchema } from "@sinclair/typebox"
import { ref } from "../../core/http/openapi/kind-schemas"
import { isBusiness, type Resource } from "../../core/kind/define"
import { jobRight, type Right } from "../../shared/rights"

/** Stand for the events of each kind and how they are told apart, which the API document fills in. */
export const eventSchemas: readonly TSchema[] = []
export const eventMapping: readonly object[] = []

/** What happened to a record of any kind. */
export type Event = {
  id: string
  seq: number
  type: string
  kind: string
  recordId: string
  version: number | null
  at: string
  changed: string[]
  record?: object | null
}

/** The schema of all events: that of each kind has its types and its record. */
export const Event = Type.Unsafe<Event>({
  $id: "Event",
  description:
    "What happened to a record. `seq` grows with every event, with gaps. `version` is that of the record after the change, and null for records without a version. `changed` has the fields that have changed, if the type is `updated`. With `include=record`, `record` is the record as it is now; null if it was deleted.",
  anyOf: eventSchemas,
  discriminator: { propertyName: "kind", mapping: eventMapping },
})

const eventName = (title: string): string => `${title}Event`

/** The schema of events of a kind, with their types and the schema of their record. */
const eventSchema = (
  title: string,
  { name, types }: Pick<EventKind, "name" | "types">,
  record: TSchema,
): TSchema =>
  Type.Object(
    {
      id: Type.String(),
      seq: Type.Integer(),
      type: Type.Unsafe<string>({ type: "string", enum: types }),
      kind: Type.Unsafe<string>({ type: "string", const: name }),
      recordId: Type.String(),
      version: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
      at: Type.String({ format: "date-time" }),
      changed: Type.Array(Type.String()),
      record: Type.Optional(record),
    },
    { $id: eventName(title) },
  )

/** What a test of a webhook sends. The feed does not have it. */
export const testEvents = { name: "webhooks", types: ["webhooks.test"] } as const

/** The schema of what is sent to webhooks. */
export const ReceivedEvent = Type.Unsafe<Event>({
  $id: "ReceivedEvent",
  description: "What a webhook gets: an event of the feed, or that of a test, which has no record.",
  anyOf: [Event, eventSchema("Webhook", testEvents, Type.Null())],
})

/** What the schema of events lists, with the records of these kinds. */
export function describedEvents(
  events: readonly EventKind[],
  kinds: readonly Resource[],
): [object, unknown][] {
  const titleOf = ({ name }: EventKind) => kinds.find((kind) => kind.name === name)?.title ?? "Import"
  const mapping = events.map((each) => [each.name, ref(eventName(titleOf(each)))["$ref"]] as const)
  return [
    [
      eventSchemas,
      events.map((each) =>
        eventSchema(titleOf(each), each, Type.Unsafe({ anyOf: [ref(titleOf(each)), { type: "null" }] })),
      ),
    ],
    [eventMapping, Object.fromEntries(mapping)],
  ]
}

/** A kind that has events: its types, and the right that a reader of its events needs. */
export type EventKind = { name: string; types: readonly string[]; right: Right }

/** The events of imports, which are not records of the business. */
const importEvents: EventKind = {
  name: "imports",
  types: ["imports.finished"],
  right: jobRight,
}

/** Returns the kinds that have events, with every type of event. */
export const eventKindsOf = (kinds: readonly Resource[]): EventKind[] => [
  ...kinds.filter(isBusiness).map((kind) => ({
    name: kind.name,
    types: [...storedTypes(kind), ...Object.keys(kind.events ?? {})].map((type) => `${kind.name}.${type}`),
    right: kind.rights.read,
  })),
  importEvents,
]

/** A record without a version is never updated or deleted. */
const storedTypes = ({ fields }: Resource): string[] =>
  "version" in fields ? ["created", "updated", "deleted"] : ["created"]
