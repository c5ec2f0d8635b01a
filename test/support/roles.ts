/** The roles, and what each may do. This repeats src/shared/rights.ts on purpose, so that tests can compare them. */
export const roles = ["viewer", "sales", "shop", "accountant", "manager", "admin"] as const
export type Role = (typeof roles)[number]

/** The scopes. */
export const letters = { R: "read", W: "write", D: "delete", A: "admin", H: "webhooks" } as const
export type Letter = keyof typeof letters

/** The scopes that each role has in each area. */
export const allowed: Record<string, Record<Role, string>> = {
  items: { viewer: "R", sales: "R", shop: "R", accountant: "R", manager: "RWD", admin: "RWD" },
  stock: { viewer: "R", sales: "R", shop: "RW", accountant: "R", manager: "RWD", admin: "RWD" },
  customers: { viewer: "R", sales: "RW", shop: "RW", accountant: "RW", manager: "RWD", admin: "RWD" },
  "sales-orders": { viewer: "R", sales: "RWD", shop: "RW", accountant: "R", manager: "RWD", admin: "RWD" },
  invoices: { viewer: "R", sales: "R", shop: "RW", accountant: "RWD", manager: "RWD", admin: "RWD" },
  search: { viewer: "R", sales: "R", shop: "R", accountant: "R", manager: "R", admin: "R" },
  own: { viewer: "RWD", sales: "RWD", shop: "RWD", accountant: "RWD", manager: "RWD", admin: "RWD" },
  webhooks: { viewer: "H", sales: "H", shop: "H", accountant: "H", manager: "H", admin: "H" },
  administration: { viewer: "", sales: "", shop: "", accountant: "", manager: "", admin: "A" },
}
export const scopesOf: Record<Role, string> = {
  viewer: "RH",
  sales: "RWDH",
  shop: "RWH",
  accountant: "RWDH",
  manager: "RWDH",
  admin: "RWDAH",
}
