/** The fuzzer changes plans and settings at will; whatever they come to, it must not run out of requests. */
export const fuzzPlans = {
  KONTOR_PLANS: ["free", "pro", "enterprise", "anonymous"]
    .map((plan) => `${plan}=1000000:unlimited`)
    .join(","),
}
