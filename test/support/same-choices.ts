import fc from "fast-check"
import { isLong } from "./long"

/**
 * Random tests make the same choices in each run, so that a change is refused only for what it has changed itself. The
 * long form chooses anew. `KONTOR_TEST_SEED` sets the seed of both.
 */
const chosen = process.env.KONTOR_TEST_SEED ?? (isLong ? undefined : "1")
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) })

/** Returns the seed of a test with choices of its own, and prints it. */
export function seedOf(name: string): number {
  const seed = Number(chosen ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${name}: KONTOR_TEST_SEED=${seed}`)
  return seed
}
