/** The program under test: the compiled binary if `npm test` has built one, otherwise the source. */
export const program: string[] = process.env.KONTOR_BINARY
  ? [process.env.KONTOR_BINARY]
  : [process.execPath, "--max-http-header-size=65536", `${import.meta.dir}/../../src/main.ts`]
