/** The steps of the set-up in the console, in their order. */
export const setUpSteps = ["company", "taxes", "numbers", "documents", "logo"] as const
export type SetUpStep = (typeof setUpSteps)[number]

/** The step after a step; null after the last one. */
export const stepAfter = (step: SetUpStep): SetUpStep | null =>
  setUpSteps[setUpSteps.indexOf(step) + 1] ?? null

/** The step at which the set-up goes on after a step. One that is done again does not take it back. */
export function nextStep(done: SetUpStep, stored: SetUpStep | null): SetUpStep | null {
  const next = stepAfter(done)
  if (next === null || stored === null) return next
  return setUpSteps.indexOf(stored) > setUpSteps.indexOf(next) ? stored : next
}
