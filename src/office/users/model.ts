import { factorRefusals } from "../factors/model"
import { Type } from "@sinclair/typebox"
import { adminRights, roles } from "../../shared/rights"
import { planNames } from "../../shared/plans"
import { defineResource, type RecordOf } from "../../core/kind/define"
import { boolean, type Given, withDefault, choice, createOnly, required, unique } from "../../core/kind/field"
import { email, newPassword, secretText, text } from "../../core/kind/text-field"

const currentPassword = (): Given<string> => ({
  ...secretText(),
  schema: Type.String({
    format: "password",
    description: "Of an admin who changes the own password: the present one",
  }),
})

/** A person who signs in. Passwords are not part of the record. */
export const users = defineResource({
  name: "users",
  variable: "USER_ID",
  table: "users",
  idPrefix: "usr",
  noun: "user",
  title: "User",
  about: "The people who sign in, and their roles. For admins.",
  menu: {
    group: "settings",
    place: 3,
    path: "/settings/users",
    recordPath: "/settings/users?id=:id",
    icon: "users",
  },
  names: {
    en: { title: "Users", one: "user", many: "users", the: "the user", audited: "Users and sign-ins" },
    de: {
      title: "Benutzer",
      one: "Benutzer",
      many: "Benutzer",
      the: "den Benutzer",
      audited: "Benutzer und Anmeldungen",
    },
  },
  rights: adminRights,
  hasHistory: true,
  refusals: factorRefusals,
  search: [],
  scan: ["name", "email"],
  writeOnly: { password: required(newPassword()) },
  onUpdate: { currentPassword: currentPassword() },
  indexed: { unique: ["email"] },
  fields: {
    email: createOnly(unique(required(email()))),
    name: required(text({ examples: ["Ada Admin"] })),
    role: required(choice(roles)),
    plan: choice(planNames),
    isActive: withDefault(boolean(), true),
  },
})

export type User = RecordOf<typeof users>
