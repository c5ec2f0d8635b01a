/** True in `npm run test:long`: tests with a longer form run it. */
export const isLong = process.env.KONTOR_TEST_LONG === "1"
