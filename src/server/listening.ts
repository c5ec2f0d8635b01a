/** Answers requests. */
export type Answer = (request: Request) => Response | Promise<Response>

/** A server that listens. */
export type Listening = Bun.Server<undefined>
