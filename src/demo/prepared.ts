import type { DemoAccess } from "./owner"

/** The demo shop with the usual seed and time: its database, and how to sign in. */
export type PreparedShop = { bytes: Uint8Array; access: DemoAccess }

/**
 * Returns the demo shop if it is filled already. When run from source, it is filled at the start. In the executable,
 * scripts/build.ts replaces this module with the filled shop, because to fill it takes two seconds.
 */
export const preparedShop = async (): Promise<PreparedShop | null> => null
