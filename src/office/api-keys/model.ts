import { networks } from "../../core/http/request/address"
import { Type } from "@sinclair/typebox"
import { type BusinessArea, businessAreas, scopes, type Role, type Scope } from "../../shared/rights"
import { planNames, type PlanName } from "../../shared/plans"
import { defineResource, type RecordOf } from "../../core/kind/define"
import {
  withDefault,
  choice,
  createOnly,
  instant,
  list,
  reference,
  required,
  readOnly,
  readOnlyNullable,
  timestamp,
} from "../../core/kind/field"
import { text } from "../../core/kind/text-field"

const network = text({
  max: 64,
  examples: ["203.0.113.0/24"],
  check: (value) =>
    networks([value])
      ? { value }
      : { error: "must be an address or a network such as 203.0.113.0/24", format: "network" },
})

/** A key for server-to-server use. Its text is shown once and is not stored. */
export const apiKeys = defineResource({
  name: "api-keys",
  variable: "KEY_ID",
  table: "api_keys",
  idPrefix: "key",
  noun: "API key",
  title: "ApiKey",
  about: "API keys, for programs that call the API.",
  menu: {
    group: "developers",
    place: 1,
    path: "/settings/api-keys",
    recordPath: "/settings/api-keys?id=:id",
    icon: "key",
  },
  names: {
    en: { title: "API keys", one: "API key", many: "API keys", the: "the API key" },
    de: { title: "API-Schlüssel", one: "API-Schlüssel", many: "API-Schlüssel", the: "den API-Schlüssel" },
  },
  rights: {
    read: { area: "own", scope: "read", notForApplications: true },
    write: { area: "own", scope: "write", personal: true },
    remove: { area: "own", scope: "delete", personal: true },
  },
  hasHistory: true,
  search: [],
  scan: ["name", "prefix"],
  fields: {
    name: required(text({ max: 100, examples: ["Web shop"] })),
    user: readOnly(reference("usr")),
    prefix: readOnly(text({ examples: ["kon_Ab12Cd34"] })),
    scopes: createOnly(required(list(choice(scopes), { min: 1, max: scopes.length }))),
    areas: createOnly({
      ...list(choice(businessAreas), { min: 1, max: businessAreas.length }),
      schema: Type.Array(Type.String({ enum: [...businessAreas] }), {
        description:
          "The only areas of the records that the key may use; null means all that its scopes allow",
      }),
    }),
    expiresAt: createOnly(instant()),
    allowedIps: withDefault(list(network, { max: 50 }), []),
    plan: choice(planNames),
    lastUsedAt: readOnlyNullable(timestamp()),
    lastUsedIp: readOnlyNullable(text()),
  },
})

export type ApiKey = RecordOf<typeof apiKeys>

/** A key with the current data of its owner. */
export type KeyHolder = {
  id: string
  name: string
  scopes: Scope[]
  areas: BusinessArea[] | null
  expiresAt: string | null
  allowedIps: string[]
  plan: PlanName | null
  /** Tells the current secret of the key from earlier ones. */
  secretTag: string
  user: { id: string; email: string; name: string; role: Role; plan: PlanName | null }
}
