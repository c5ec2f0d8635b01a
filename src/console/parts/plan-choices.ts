import { isRaise, planNames, type PlanName } from "../../shared/plans"
import { t } from "../texts"

type Options = {
  /** The label for having no own plan, and the plan that applies then. */
  inherited: { label: string; plan: PlanName }
  /** The current plan. Only admins may choose a larger plan. */
  before: PlanName
  isAdmin: boolean
}

/** Returns the plan options. The empty value means the inherited plan. */
export const planChoices = ({ inherited, before, isAdmin }: Options) => [
  { value: "", label: inherited.label, disabled: !isAdmin && isRaise(before, inherited.plan) },
  ...planNames.map((plan) => ({
    value: plan,
    label: t(($) => $.values.plan[plan]),
    disabled: !isAdmin && isRaise(before, plan),
  })),
]
