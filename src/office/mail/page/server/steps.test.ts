import { expect, test } from "bun:test"
import type { TestStep } from "../../model"
import { shownSteps } from "./steps"

const step = (name: TestStep["step"], code: number | null = 250): TestStep => ({
  step: name,
  code,
  text: "ok",
})
const inShort = (ok: boolean, ...steps: TestStep[]) =>
  shownSteps({ ok, steps }).map((each) => `${each.step} ${each.state}`)

test("All steps of a test that has succeeded are ticked; those that were not needed are left out.", () => {
  expect(inShort(true, step("connect", 220), step("sender"), step("recipient"), step("data"))).toEqual([
    "connect reached",
    "sender reached",
    "recipient reached",
    "data reached",
  ])
})

test("The last step of a test that has failed is where it ended, and the others were not reached.", () => {
  expect(inShort(false, step("connect", 220), step("tls", 220), step("auth", 535))).toEqual([
    "connect reached",
    "tls reached",
    "auth stopped",
    "sender notReached",
    "recipient notReached",
    "data notReached",
  ])
})

test("What the server says more than once in a step is shown together.", () => {
  const refused = step("recipient", 550)
  const shown = shownSteps({ ok: true, steps: [step("connect"), step("recipient"), refused, step("data")] })
  expect(shown.find((each) => each.step === "recipient")?.said).toHaveLength(2)
})
