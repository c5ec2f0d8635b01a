import { isRaise, planNames, type PlanName } from "../../../shared/plans"
import { words } from "../format"

type Options = {
  /** What it is called to have no plan of one's own, and which plan that comes to. */
  inherited: { label: string; plan: PlanName }
  /** The plan as it is: only an admin may choose a larger one. */
  before: PlanName
  isAdmin: boolean
}

/** The plans to choose from. The empty value means the plan of somebody else. */
export const planChoices = ({ inherited, before, isAdmin }: Options) => [
  { value: "", label: inherited.label, disabled: !isAdmin && isRaise(before, inherited.plan) },
  ...planNames.map((plan) => ({
    value: plan,
    label: words(plan),
    disabled: !isAdmin && isRaise(before, plan),
  })),
]
