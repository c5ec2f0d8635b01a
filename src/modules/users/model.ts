import { roles } from "../../shared/rights"
import { planNames } from "../../shared/plans"
import { defineResource, type Kept } from "../../resource/define"
import { boolean, byDefault, choice, fixed, required, unique } from "../../resource/field"
import { email, text } from "../../resource/text-field"

/** Who signs in. Passwords are not part of the record. */
export const users = defineResource({
  name: "users",
  table: "users",
  idPrefix: "usr",
  noun: "user",
  title: "User",
  search: [],
  scan: ["name", "email"],
  writeOnly: { password: { type: "string", minLength: 10, maxLength: 256, writeOnly: true } },
  indexed: { unique: ["email"] },
  fields: {
    email: fixed(unique(required(email()))),
    name: required(text({ examples: ["Ada Admin"] })),
    role: required(choice(roles)),
    plan: choice(planNames),
    isActive: byDefault(boolean(), true),
  },
})

export type User = Kept<typeof users>
