// Runs one case after the other with the right credential, and skips cases that would only repeat a known failure.
import type { Case, Sent } from "./cost-case"
import { measure, send, type Answer, type Limits, type Result } from "./cost-measure"
import type { Watched } from "./cost-server"
import type { Actors } from "./fuzz-actors"
import type { Operation } from "./fuzz-document"
import type { Known } from "./fuzz-known"

/** After this many failures of one parameter, its other cases are skipped. */
const mostProblems = 3
/** A case that blocked the server this long, in ms of CPU time, is enough to skip the parameter's other cases. */
const enough = 1_000

type Deps = {
  people: Actors
  known: Known
  operations: readonly Operation[]
  limits: Limits
}

export function runnerOf(server: Watched, { people, known, operations, limits }: Deps) {
  const open = new Set(operations.filter(({ isOpen }) => isOpen).map(({ id }) => id))
  const problems = new Map<string, number>()
  const failedSeries = new Set<string>()
  let skipped = 0

  const sendAs = async ({ id }: Case, sent: Sent): Promise<Answer> => {
    const credential = id === null || open.has(id) ? {} : await people.credentialFor(id)
    const headers = { ...sent.headers, ...credential }
    const answer = await send(server.now().url, { ...sent, headers })
    if (answer.failure || answer.status >= 300 || id === null) return answer
    people.learn(id, sent.given ?? null, answer.body)
    if (sent.method === "DELETE") known.forget(sent.path.split("/").at(-1) ?? "")
    else if (answer.size < 100_000) known.learn((answer.body as { data?: unknown } | null)?.data)
    return answer
  }

  return {
    skipped: () => skipped,
    /** Runs a case. Returns null when it was skipped. */
    async ask(testCase: Case): Promise<Result | null> {
      const parameter = `${testCase.operation} ${testCase.parameter}`
      const series = `${parameter} ${testCase.series}`
      if ((problems.get(parameter) ?? 0) >= mostProblems || (testCase.series && failedSeries.has(series))) {
        skipped++
        return null
      }
      const result = await measure(testCase, limits, server.now, sendAs)
      if (result.status === 0) {
        const restarted = await server.restartIfDead()
        if (restarted) result.problem = `${result.problem}; ${restarted}`
      }
      if (result.problem) {
        problems.set(parameter, result.hold > enough ? mostProblems : (problems.get(parameter) ?? 0) + 1)
        failedSeries.add(series)
      }
      return result
    },
  }
}
