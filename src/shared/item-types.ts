/** Only a service has no stock. */
export const itemTypes = ["Product", "Service", "Consumable"] as const
