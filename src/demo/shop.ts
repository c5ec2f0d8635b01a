import type { Caller } from "../core/caller"
import type { Services } from "../services"

export type Random = () => number

/** The services, the random numbers and the caller that fill the demo shop. */
export type Shop = Services & { random: Random; caller: Caller }
