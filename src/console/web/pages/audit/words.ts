import { words } from "../../format"

export const kindNames: Record<string, string> = {
  items: "Items",
  "stock-movements": "Stock",
  customers: "Customers",
  "sales-orders": "Orders",
  invoices: "Invoices",
  users: "Users and sign-ins",
  auth: "Failed sign-ins",
  "api-keys": "API keys",
  "oauth-clients": "OAuth clients",
  backups: "Backups",
  settings: "Settings",
  access: "Refused access",
}

export const actorTypes = [
  { value: "user", label: "User" },
  { value: "apiKey", label: "API key" },
  { value: "oauthClient", label: "Connected app" },
  { value: "anonymous", label: "Unknown" },
  { value: "system", label: "Kontor itself" },
]

export const outcomes = ["success", "failure", "refused"]

const actions: Record<string, string> = {
  create: "Create",
  update: "Change",
  delete: "Delete",
  status: "Change of status",
  rotate: "New key text or secret",
  payment: "Payment",
  "payment-removed": "Payment removed",
  "set-password": "New password",
  login: "Sign-in",
  logout: "Sign-out",
  "logout-all": "Sign-out everywhere",
  "refresh-reuse": "Old sign-in used again",
  refused: "Access refused",
  grant: "App connected",
  withdraw: "App disconnected",
  token: "Tokens given to an app",
  revoke: "Tokens given back by an app",
  "code-reuse": "Old code used again",
}

/** items.update → Change; what has no words of its own is shown as it is. */
export function actionInWords(action: string): string {
  const verb = action.split(".").at(-1) ?? action
  return actions[verb] ?? words(verb.replaceAll("-", " "))
}

const places: Record<string, (id: string) => string> = {
  items: (id) => `/items/${id}`,
  customers: (id) => `/customers/${id}`,
  "sales-orders": (id) => `/orders/${id}`,
  invoices: (id) => `/invoices/${id}`,
  users: (id) => `/settings/users?id=${id}`,
  "api-keys": (id) => `/settings/api-keys?id=${id}`,
  "oauth-clients": (id) => `/settings/oauth-clients?id=${id}`,
  settings: () => "/settings/company",
}

/** The page of a record, where it has one. */
export const placeOf = (kind: string | null, id: string | null): string | null =>
  (kind && id && places[kind]?.(id)) || null
