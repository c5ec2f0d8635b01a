export const planNames = ["free", "pro", "enterprise"] as const
export type PlanName = (typeof planNames)[number]

/** How many requests a caller has; null is no limit. */
export type Plan = { perMinute: number | null; perDay: number | null }
export type Plans = Record<PlanName | "anonymous", Plan>

/** The plans as sold; the owner of an instance may give other numbers with --plans. */
export const standardPlans: Plans = {
  free: { perMinute: 60, perDay: 10_000 },
  pro: { perMinute: 300, perDay: 100_000 },
  enterprise: { perMinute: 1_000, perDay: null },
  anonymous: { perMinute: 60, perDay: null },
}

/** The plan that allows less. */
export const smallerPlan = (a: PlanName, b: PlanName): PlanName => (isRaise(a, b) ? a : b)

/** True when `to` allows more than `from`. */
export const isRaise = (from: PlanName, to: PlanName): boolean =>
  planNames.indexOf(to) > planNames.indexOf(from)
