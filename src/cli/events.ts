import type { Database } from "../core/engine/engine"
import { openWriter } from "../core/write/commit"
import { findSecret } from "../core/engine/secrets"
import { kindList } from "../kinds"
import { printMore, say } from "../core/lib/process/output"
import { eventKindsOf, type Event } from "../office/events/model"
import { eventService, type EventService, feedIdOf } from "../office/events/service"
import { mostEvents, readFeedQuery } from "../office/events/query"
import { withDatabase } from "./with-services"
import type { Command } from "./command"

/** The time between two looks at the file, in milliseconds. Another process writes to it. */
const pause = 500

export const eventsCommand: Command = {
  name: "events",
  summary: "Print what happened to records, and follow what happens",
  usage: "[--follow] [--after POSITION] [--types TYPES] [--json]",
  examples: [
    "kontor events --types 'invoices.*,payments.created'",
    "kontor events --follow --after latest",
    "kontor events --json --after 0f1e2d3c4b5a6978-1204",
  ],
  takes: ["db"],
  flags: {
    after:
      "Print the events after this position; latest is the end. Without it, the oldest events come first",
    types: "Types of events, separated by commas, such as invoices.*",
  },
  switches: {
    follow: "Wait for further events until the command is interrupted",
    json: "Print each event as a line of JSON, with its position",
  },
  async run({ config, flags, switches }) {
    await withDatabase(config.db, (db) => {
      const events = feedIn(db)
      const given = Object.entries({ after: flags.after, types: flags.types })
      const known = given.filter((entry): entry is [string, string] => entry[1] !== undefined)
      const { after, types } = readFeedQuery(new URLSearchParams(known).toString(), events.kinds)
      return printEvents(events, events.startOf(after), types, {
        isFollowed: switches.follow ?? false,
        lineOf: switches.json ? jsonLine(events) : textLine,
      })
    })
  },
}

/** The feed of a file. It has the positions that the server gives. A backup has no secret, and gets none here. */
function feedIn(db: Database): EventService {
  const feed = feedIdOf(findSecret(db, "events") ?? "")
  return eventService({ ...openWriter(db), db, feed, kinds: eventKindsOf(kindList), keptFor: Infinity })
}

type Output = { isFollowed: boolean; lineOf: (event: Event) => string }

/** Prints the events after a number. It ends when nobody reads them any more. */
async function printEvents(
  events: EventService,
  start: number,
  types: readonly string[],
  { isFollowed, lineOf }: Output,
): Promise<void> {
  for (let last = start; ;) {
    const found = await events.read(last, types, mostEvents, null)
    last = found.last
    if (found.events.length > 0 && !printMore(found.events.map(lineOf).join("\n"))) return
    if (found.hasMore) continue
    if (!isFollowed) return say(`The next position is ${events.positionOf(last)}.`)
    await Bun.sleep(pause)
  }
}

const jsonLine =
  (events: EventService) =>
  (event: Event): string =>
    JSON.stringify({ ...event, position: events.positionOf(event.seq) })

const textLine = ({ at, type, recordId, version, changed }: Event): string =>
  [at, type.padEnd(24), recordId, version === null ? "-" : `v${version}`, changed.join(",")]
    .join("  ")
    .trimEnd()
