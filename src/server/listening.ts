/** A server that listens. */
export type Listening = Bun.Server<undefined>
