import { expect, test } from "bun:test"
import { kindList } from "../src/kinds"
import { eventKindsOf } from "../src/office/events/model"
import { eventTypes } from "../src/shared/event-types"

test("the types of events that the console offers are those of the server", () => {
  const listed = Object.entries(eventTypes).flatMap(([kind, types]) => types.map((type) => `${kind}.${type}`))
  const known = eventKindsOf(kindList).flatMap(({ types }) => types)
  expect(listed.toSorted()).toEqual(known.toSorted())
})
