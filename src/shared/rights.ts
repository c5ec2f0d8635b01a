export const scopes = ["read", "write", "delete", "admin", "webhooks"] as const
export type Scope = (typeof scopes)[number]

export const roles = ["viewer", "sales", "shop", "accountant", "manager", "admin"] as const
export type Role = (typeof roles)[number]

/** The areas that rights apply to. `own` is the caller's account: sessions, password, keys, grants. `webhooks` are the caller's own. */
export const areas = [
  "items",
  "stock",
  "customers",
  "sales-orders",
  "invoices",
  "search",
  "own",
  "webhooks",
  "administration",
] as const
export type Area = (typeof areas)[number]

/** The areas of the records of the business. */
export const businessAreas = ["items", "stock", "customers", "sales-orders", "invoices"] as const
export type BusinessArea = (typeof businessAreas)[number]

export const isBusinessArea = (area: Area): boolean => (businessAreas as readonly Area[]).includes(area)

/**
 * True if a key of some areas may use an area: one of these, its own data, or the search and the events, which show each
 * caller only what it may read.
 */
export const isWithinAreas = (of: readonly BusinessArea[], area: Area): boolean =>
  area === "own" || area === "search" || (of as readonly Area[]).includes(area)

/** R reads, W writes, D deletes, A administers, H manages webhooks. */
type Rights = "" | "R" | "RW" | "RWD" | "A" | "H"
const letters: Record<Scope, string> = { read: "R", write: "W", delete: "D", admin: "A", webhooks: "H" }

/** The table of who may do what. The server checks every request against it, and the console shows it. */
export const rights = {
  viewer: {
    items: "R",
    stock: "R",
    customers: "R",
    "sales-orders": "R",
    invoices: "R",
    search: "R",
    own: "RWD",
    webhooks: "H",
    administration: "",
  },
  sales: {
    items: "R",
    stock: "R",
    customers: "RW",
    "sales-orders": "RWD",
    invoices: "R",
    search: "R",
    own: "RWD",
    webhooks: "H",
    administration: "",
  },
  shop: {
    items: "R",
    stock: "RW",
    customers: "RW",
    "sales-orders": "RW",
    invoices: "RW",
    search: "R",
    own: "RWD",
    webhooks: "H",
    administration: "",
  },
  accountant: {
    items: "R",
    stock: "R",
    customers: "RW",
    "sales-orders": "R",
    invoices: "RWD",
    search: "R",
    own: "RWD",
    webhooks: "H",
    administration: "",
  },
  manager: {
    items: "RWD",
    stock: "RWD",
    customers: "RWD",
    "sales-orders": "RWD",
    invoices: "RWD",
    search: "R",
    own: "RWD",
    webhooks: "H",
    administration: "",
  },
  admin: {
    items: "RWD",
    stock: "RWD",
    customers: "RWD",
    "sales-orders": "RWD",
    invoices: "RWD",
    search: "R",
    own: "RWD",
    webhooks: "H",
    administration: "A",
  },
} satisfies Record<Role, Record<Area, Rights>>

/**
 * The right that a route, a menu entry or a button needs. `personal` means that a person must have signed in: an API
 * key never has this right, regardless of its scopes. `notForApplications` means that a connected app never has it: an
 * app must not see API keys and other connected apps, because the consent page does not mention them.
 */
export type Right = {
  area: Area
  scope: Scope
  personal?: boolean
  notForApplications?: boolean
  /** True for what users need who must add a second factor before they may do anything else. */
  duringSetup?: boolean
  /** Areas that it also shows something of, which a key of some areas must have too. */
  alsoAreas?: readonly Area[]
  /** The only roles that may use it, of those that have it. */
  roles?: readonly Role[]
}

/** The rights needed to read, write and delete the records of a kind. */
export type KindRights = { read: Right; write: Right; remove: Right }

/** The rights of a kind that belongs to an area. */
export const rightsOf = (area: Area): KindRights => ({
  read: { area, scope: "read" },
  write: { area, scope: "write" },
  remove: { area, scope: "delete" },
})

/** The right to start and to see work in the background, such as imports. */
export const jobRight: Right = { area: "items", scope: "write" }

/** The rights of a kind that only admins can read, and that only admins who signed in can update. */
export const adminRights: KindRights = {
  read: { area: "administration", scope: "admin" },
  write: { area: "administration", scope: "admin", personal: true },
  remove: { area: "administration", scope: "admin", personal: true },
}

/** True when the table gives a role the scope in the area. */
export const isInTable = (role: Role, { area, scope }: Right): boolean =>
  (rights[role][area] as string).includes(letters[scope])

/** True when a role has a right, and the right is not only for other roles. */
export const mayRole = (role: Role, right: Right): boolean =>
  isInTable(role, right) && (right.roles?.includes(role) ?? true)

/** Returns what a role may do in an area. */
export const scopesIn = (role: Role, area: Area): Scope[] =>
  scopes.filter((scope) => mayRole(role, { area, scope }))

const roleScopes = new Map(
  roles.map((role): [Role, readonly Scope[]] => [
    role,
    scopes.filter((scope) => areas.some((area) => area !== "own" && mayRole(role, { area, scope }))),
  ]),
)

/** The scopes of a signed-in user: every scope that the role has in some area other than `own`. */
export const scopesOf = (role: Role): readonly Scope[] => roleScopes.get(role) ?? []

/** The roles that may give a new customer the number of another system. */
export const ownNumberRoles: readonly Role[] = ["manager", "admin"]

/** The roles that may update a credit limit. Other roles may set it when they create a customer. */
export const creditLimitRoles: readonly Role[] = ["accountant", "manager", "admin"]

/** The roles that may override a customer's credit limit. */
export const creditOverrideRoles: readonly Role[] = ["manager", "admin"]

/** The roles that may merge customers. */
export const mergeRoles: readonly Role[] = ["manager", "admin"]

/**
 * The roles that may undo an issued invoice: cancel, credit or refund it. A web shop or a till sells, and people who
 * keep the books undo a sale.
 */
export const correctionRoles: readonly Role[] = ["accountant", "manager", "admin"]
