import type { User } from "../../api/types"
import { words } from "../../format"

export type PlanName = NonNullable<User["plan"]>

/** From the smallest to the largest. */
export const planNames: PlanName[] = ["free", "pro", "enterprise"]

const rankOf = (plan: string) => planNames.indexOf(plan as PlanName)

type Options = {
  /** What no plan of one's own is called, and which plan that comes to. */
  inherited: { label: string; plan: string }
  /** The plan as it is: only an admin may choose a larger one. */
  before: string
  isAdmin: boolean
}

/** The plans to choose from, the empty one being that of somebody else. */
export const planChoices = ({ inherited, before, isAdmin }: Options) =>
  [{ value: "", label: inherited.label }, ...planNames.map((value) => ({ value, label: words(value) }))].map(
    (choice) => ({
      ...choice,
      disabled: !isAdmin && rankOf(choice.value || inherited.plan) > rankOf(before),
    }),
  )
