/** The program from source. */
export const source: string[] = [
  process.execPath,
  "--max-http-header-size=65536",
  `${import.meta.dir}/../../src/main.ts`,
]

/** The program under test: the compiled binary if `npm test` has built one, otherwise the source. */
export const program: string[] = process.env.KONTOR_BINARY ? [process.env.KONTOR_BINARY] : source

/** True if servers run in the process of the tests, from source, which takes far less time than a process for each. */
export const isInProcess = process.env.KONTOR_TEST_IN_PROCESS === "1"
