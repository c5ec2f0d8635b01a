import type { MailTest, TestStep } from "../../model"

/** The steps of sending, in their order. Signing in and encryption may be left out. */
const order = ["connect", "tls", "auth", "sender", "recipient", "data"] as const

export type ShownStep = {
  step: TestStep["step"]
  state: "reached" | "stopped" | "notReached"
  said: TestStep[]
}

/** Returns each step with what the server has said in it. The last one is where it ended. */
export function shownSteps({ ok, steps }: MailTest): ShownStep[] {
  const last = steps.at(-1)?.step
  const end = ok ? order.length : order.findIndex((step) => step === last)
  return order.flatMap((step, i): ShownStep[] => {
    const said = steps.filter((each) => each.step === step)
    if (i > end || (end < 0 && said.length === 0)) return [{ step, state: "notReached", said }]
    if (said.length === 0) return []
    return [{ step, state: !ok && i === end ? "stopped" : "reached", said }]
  })
}
