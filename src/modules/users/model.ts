import { roles } from "../../http/rights"
import { defineResource, type Kept } from "../../resource/define"
import { boolean, byDefault, choice, email, required, text, unique } from "../../resource/field"

/** Who signs in. Passwords are not part of the record. */
export const users = defineResource({
  name: "users",
  table: "users",
  idPrefix: "usr",
  noun: "user",
  title: "User",
  search: [],
  fields: {
    email: unique(required(email())),
    name: required(text({ examples: ["Ada Admin"] })),
    role: required(choice(roles)),
    isActive: byDefault(boolean(), true),
  },
})

export type User = Kept<typeof users>
