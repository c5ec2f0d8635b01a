import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { isBusiness, type Resource } from "../../core/kind/define"
import { jobRight, type Right } from "../../shared/rights"

/** Stand for the types and kinds of events and for the schemas of their records, which the API document fills in. */
export const eventTypes: readonly string[] = []
export const eventKinds: readonly string[] = []
export const eventRecords: readonly TSchema[] = []

export const Event = Type.Object(
  {
    id: Type.String({ examples: ["evt_01kb2qk3dvb6r8h5m9x4w7z2nc"] }),
    seq: Type.Integer({ description: "Grows with every event. There may be gaps." }),
    type: Type.Unsafe<string>({ type: "string", enum: eventTypes, examples: ["invoices.issued"] }),
    kind: Type.Unsafe<string>({ type: "string", enum: eventKinds, examples: ["invoices"] }),
    recordId: Type.String({ examples: ["inv_01kb2qk3dvb6r8h5m9x4w7z2nc"] }),
    version: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The version of the record after the change; null for records without a version",
    }),
    at: Type.String({ format: "date-time" }),
    changed: Type.Array(Type.String(), {
      description: "With `updated`: the fields that have changed. Empty for all other types.",
    }),
    record: Type.Optional(
      Type.Unsafe<object | null>({
        anyOf: eventRecords,
        description: "With `include=record`: the record as it is now; null if it was deleted",
      }),
    ),
  },
  { $id: "Event" },
)
export type Event = Static<typeof Event>

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
