import { Elysia } from "elysia"
import type { Call } from "../request/call"

/**
 * Creates the one Elysia instance that gets all hooks and routes. Nested instances are avoided: Elysia copies their
 * routes one by one at every level, which took most of the start time.
 */
export const newApp = ({ isSecure }: { isSecure: boolean }) =>
  new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    // The offset at which Elysia looks for the path: correct for every host name over http, and for host names of at
    // least three characters over https.
    handler: { standardHostname: isSecure },
  })
    // Set for each request by the first hook.
    .decorate("call", {} as Call)

export type App = ReturnType<typeof newApp>
