import { Elysia } from "elysia"
import type { Call } from "./call"

/**
 * What the hooks and the routes of an area are added to, without instances in between: one that uses another takes over
 * its routes one by one, at every level again, and that used to be most of what a start took.
 */
export const newApp = ({ isSecure }: { isSecure: boolean }) =>
  new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    // Where Elysia looks for the path: right for every host name over http, and over https for three letters and more.
    handler: { standardHostname: isSecure },
  })
    // Filled in for each request by the first of the hooks.
    .decorate("call", {} as Call)

export type App = ReturnType<typeof newApp>
