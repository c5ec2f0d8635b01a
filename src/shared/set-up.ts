/** The steps of the set-up in the console, in their order. */
export const setUpSteps = ["company", "taxes", "numbers", "documents", "logo"] as const
export type SetUpStep = (typeof setUpSteps)[number]

/** The step after a step; null after the last one. */
export const stepAfter = (step: SetUpStep): SetUpStep | null =>
  setUpSteps[setUpSteps.indexOf(step) + 1] ?? null
