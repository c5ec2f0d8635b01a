export const planNames = ["free", "pro", "enterprise"] as const
export type PlanName = (typeof planNames)[number]

/** The number of requests that a caller may make; null means no limit. */
export type Plan = { perMinute: number | null; perDay: number | null }
export type Plans = Record<PlanName | "anonymous", Plan>

/** The default plans. The owner of an instance can set other numbers with --plans. */
export const standardPlans: Plans = {
  free: { perMinute: 60, perDay: 10_000 },
  pro: { perMinute: 300, perDay: 100_000 },
  enterprise: { perMinute: 1_000, perDay: null },
  anonymous: { perMinute: 60, perDay: null },
}

/** Returns the plan that allows fewer requests. */
export const smallerPlan = (a: PlanName, b: PlanName): PlanName => (isRaise(a, b) ? a : b)

/** True when `to` allows more than `from`. */
export const isRaise = (from: PlanName, to: PlanName): boolean =>
  planNames.indexOf(to) > planNames.indexOf(from)
