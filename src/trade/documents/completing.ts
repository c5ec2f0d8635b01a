import { nextStep, type Later } from "../../core/lib/turns"

/** The number of lines that one slice adds to documents. Other requests are served between slices. */
const linesAtOnce = 1_000
/** For more documents than this, counting the lines is a separate slice. */
const fewDocuments = 25

type Head = { id: string }

/** Returns a function that completes the documents of a list: immediately, or in slices if there are many lines. */
export function completeInSlices<H extends Head, T>(
  complete: (heads: H[]) => T[],
  countLines: (heads: readonly H[]) => ReadonlyMap<string, number>,
): (heads: H[]) => Later<T[]> {
  return (heads) => {
    if (heads.length === 0) return []
    if (heads.length > fewDocuments)
      return async (signal) => {
        await nextStep(signal)
        return inSteps(stepsOf(heads, countLines(heads)), complete, signal)
      }
    const steps = stepsOf(heads, countLines(heads))
    return steps.length <= 1 ? complete(heads) : (signal) => inSteps(steps, complete, signal)
  }
}

function stepsOf<H extends Head>(heads: readonly H[], lines: ReadonlyMap<string, number>): H[][] {
  const steps: H[][] = []
  let room = 0
  for (const head of heads) {
    const count = lines.get(head.id) ?? 0
    if (steps.length === 0 || count > room) {
      steps.push([])
      room = linesAtOnce
    }
    steps.at(-1)?.push(head)
    room -= count
  }
  return steps
}

async function inSteps<H, T>(
  steps: readonly H[][],
  complete: (heads: H[]) => T[],
  signal: AbortSignal | null,
): Promise<T[]> {
  const all: T[] = []
  for (const step of steps) {
    await nextStep(signal)
    all.push(...complete(step))
  }
  return all
}
