// Runs one case after the other with the right credential, and skips cases that would only repeat a known failure.
import type { Case, Sent } from "./cost-case"
import { measure, send, type Answer, type Bars, type Result } from "./cost-measure"
import type { Watched } from "./cost-server"
import type { Actors } from "./fuzz-actors"
import type { Operation } from "./fuzz-document"
import type { Known } from "./fuzz-known"

/** After this many failures of one parameter, its other cases are skipped. */
const mostFaults = 3
/** A case that blocked the server this long, in ms, is enough to skip the parameter's other cases. */
const enough = 1_000

type Surroundings = {
  people: Actors
  known: Known
  operations: readonly Operation[]
  bars: Bars
}

export function askerOf(server: Watched, { people, known, operations, bars }: Surroundings) {
  const open = new Set(operations.filter(({ isOpen }) => isOpen).map(({ id }) => id))
  const faults = new Map<string, number>()
  const steep = new Set<string>()
  let spared = 0

  const sendAs = async ({ id, patience }: Case, sent: Sent): Promise<Answer> => {
    const credential = id === null || open.has(id) ? {} : await people.credentialFor(id)
    const headers = { ...sent.headers, ...credential }
    const answer = await send(server.now().url, { ...sent, headers }, patience)
    if (answer.failure || answer.status >= 300 || id === null) return answer
    people.learn(id, sent.given ?? null, answer.body)
    if (sent.method === "DELETE") known.forget(sent.path.split("/").at(-1) ?? "")
    else if (answer.size < 100_000) known.learn((answer.body as { data?: unknown } | null)?.data)
    return answer
  }

  return {
    spared: () => spared,
    /** Runs a case. Returns null when it was skipped. */
    async ask(asked: Case): Promise<Result | null> {
      const parameter = `${asked.operation} ${asked.parameter}`
      const ladder = `${parameter} ${asked.ladder}`
      if ((faults.get(parameter) ?? 0) >= mostFaults || (asked.ladder && steep.has(ladder))) {
        spared++
        return null
      }
      const result = await measure(asked, bars, server.now, sendAs)
      if (result.status === 0) {
        const revived = await server.revive()
        if (revived) result.fault = `${result.fault}; ${revived}`
      }
      if (result.fault) {
        faults.set(parameter, result.hold > enough ? mostFaults : (faults.get(parameter) ?? 0) + 1)
        steep.add(ladder)
      }
      return result
    },
  }
}
