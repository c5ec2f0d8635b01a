import type { Event } from "../../events/model"
import { readableTypes } from "../../events/query"
import { bodyOf } from "../message"
import { matchedTypes } from "../model"
import type { Target } from "../store"
import type { SenderDeps } from "./state"

/** The types of events that a webhook gets: those of its patterns that its owner may read now. */
export function typesOf({ events, personOf }: SenderDeps, { types, owner }: Target): string[] {
  const person = owner === null ? null : personOf(owner)
  return person ? readableTypes(matchedTypes(types, events.kinds), events.kinds, person) : []
}

/** Returns the body of an event, with its record as the owner of the webhook may see it. */
export function bodyFor(
  { records, personOf }: SenderDeps,
  { payload, owner }: Target,
  event: Event,
): Promise<string> {
  const reader = payload === "full" && owner !== null ? personOf(owner) : null
  return bodyOf(event, payload, records(), reader)
}

/** True if the owner of a webhook may read a type of events now. */
export function mayGet({ events, personOf }: SenderDeps, { owner }: Target, type: string): boolean {
  const person = owner === null ? null : personOf(owner)
  return person !== null && readableTypes([type], events.kinds, person).length > 0
}
