import { otherProcessVersion } from "../../core/engine/change-token"
import type { Database } from "../../core/engine/engine"
import type { NextStep } from "../../core/lib/turns"
import type { SearchKind } from "./model"
import { findEventEnds, findTextChanges, findTextsOf, type TextChange } from "./store"
import type { Vocabulary } from "./vocabulary"

/** The number of events that are learned before other requests may run. */
const atOnce = 100
/** In milliseconds: how long a search waits for words. Without them it finds less similar words, but all records. */
const longestWait = 200

type Deps = { db: Database; kinds: readonly SearchKind[]; vocabulary: Vocabulary; next: NextStep }

/** Learns the words of records that other servers write to the same database. The feed of events says which. */
export function othersWords({ db, kinds, vocabulary, next }: Deps) {
  const types = kinds.flatMap(({ resource: { name } }) => [`${name}.created`, `${name}.updated`])
  let seen = 0
  // What is written from now on is learned from the feed; all records that exist now are learned elsewhere.
  let position = db.engine.isShared ? findEventEnds(db).newest : 0
  let isLost = false
  let running: Promise<void> | null = null

  const follow = async (): Promise<void> => {
    for (let version = otherProcessVersion(db); version !== seen; version = otherProcessVersion(db)) {
      vocabulary.setBehind(true)
      // Events that were deleted before they were read may have had any word.
      isLost ||= position > 0 && findEventEnds(db).oldest > position + 1
      for (let some = changesAfter(); some.length > 0; some = changesAfter()) {
        learn({ db, kinds, vocabulary }, some)
        position = some.at(-1)?.seq ?? position
        await next()
      }
      vocabulary.setBehind(isLost)
      seen = version
    }
  }
  const changesAfter = (): TextChange[] => findTextChanges(db, position, types, atOnce)

  return {
    /** Learns what other servers have written, or goes on with that in the background if there is much. */
    async learn(): Promise<void> {
      if (!db.engine.isShared || otherProcessVersion(db) === seen) return
      running ??= follow()
        .catch(() => {})
        .finally(() => (running = null))
      await Promise.race([running, Bun.sleep(longestWait)])
    },
  }
}

function learn({ db, kinds, vocabulary }: Omit<Deps, "next">, changes: readonly TextChange[]): void {
  const byKind = Map.groupBy(changes, ({ type }) => type.slice(0, type.indexOf(".")))
  for (const kind of kinds) {
    const ids = new Set(byKind.get(kind.resource.name)?.map(({ record }) => record))
    if (ids.size > 0) findTextsOf(db, kind, [...ids]).forEach(vocabulary.add)
  }
}
