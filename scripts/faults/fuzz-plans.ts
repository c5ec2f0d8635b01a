/** The fuzzer changes plans and settings at random. These limits ensure that it never runs out of requests. */
export const fuzzPlans = {
  KONTOR_PLANS: ["free", "pro", "enterprise", "anonymous"]
    .map((plan) => `${plan}=1000000:unlimited`)
    .join(","),
}
