import { expect, test } from "bun:test"
import { kindList } from "../../kinds"
import { eventTypes } from "../../shared/event-types"
import { eventKindsOf } from "./model"

test("the list of event types that the console offers is the one of the server", () => {
  const listed = Object.entries(eventTypes).flatMap(([kind, types]) => types.map((type) => `${kind}.${type}`))
  const known = eventKindsOf(kindList).flatMap(({ types }) => types)
  expect(listed.toSorted()).toEqual(known.toSorted())
})
