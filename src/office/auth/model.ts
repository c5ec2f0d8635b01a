import { Type, type Static } from "@sinclair/typebox"
import { body } from "../../core/kind/body"
import { required } from "../../core/kind/field"
import { languages, type Language } from "../../shared/languages"
import type { PlanName } from "../../shared/plans"
import type { Area, Role, Scope } from "../../shared/rights"
import type { Settings } from "../settings/model"
import { code } from "../factors/model"
import { email, newPassword, secretText, text } from "../../core/kind/text-field"

const Text = Type.String()
const textOrNull = Type.Unsafe<string | null>({ type: ["string", "null"] })
const numberOrNull = Type.Unsafe<number | null>({ type: ["integer", "null"] })

export const SignedInUser = Type.Object(
  { id: Text, email: Text, name: Text, role: Text },
  { $id: "SignedInUser" },
)

export const SignedIn = Type.Object(
  {
    token: Text,
    refreshToken: Text,
    expiresIn: Type.Integer({ examples: [3600] }),
    user: SignedInUser,
  },
  { $id: "SignedIn" },
)
export type SignedIn = Static<typeof SignedIn>

const Limit = Type.Object(
  {
    limit: numberOrNull,
    remaining: numberOrNull,
    resetAt: Type.Integer({ description: "Unix seconds" }),
  },
  { $id: "Limit" },
)

const Company = Type.Object({
  name: textOrNull,
  country: textOrNull,
  currency: Type.String({ examples: ["EUR"] }),
  currencyDigits: Type.Integer({ description: "Number of decimals of the currency" }),
  timeZone: Type.String({ examples: ["Europe/Berlin"] }),
  taxCountry: Type.Unsafe<string | null>({
    type: ["string", "null"],
    description:
      "The country by whose law the company is taxed: that of its address, or else of its VAT ID. XI is Northern Ireland",
    examples: ["DE"],
  }),
  today: Type.String({ format: "date", description: "In the instance's time zone" }),
  pricesIncludeTax: Type.Boolean({ description: "Whether prices of new documents include tax" }),
  defaultTaxCode: textOrNull,
  defaultLanguage: Type.Unsafe<Language>({ type: "string", enum: [...languages] }),
  defaultPaymentTerms: textOrNull,
  defaultUnit: textOrNull,
  lockedUntil: Type.Unsafe<string | null>({ type: ["string", "null"], format: "date" }),
  correctBy: Type.Unsafe<Settings["correctBy"]>({ type: "string", enum: ["cancel", "credit-note"] }),
  invoiceFrom: Type.Unsafe<Settings["invoiceFrom"]>({ type: "string", enum: ["ordered", "delivered"] }),
  publicPages: Type.Boolean({ description: "Whether customers can answer quotations on pages" }),
  publicUrl: Type.String({
    description: "Where the links for customers lead: `--public-url`, or else the address of this server",
    examples: ["https://kontor.example"],
  }),
})

/** A body that asks for a link to set a new password. */
export const forgotBody = body({ email: required(email()) }, { example: { email: "office@example.com" } })

/** A body that sets a new password with the secret of a link. */
export const resetBody = body(
  {
    token: required(secretText()),
    newPassword: required(newPassword()),
    code: code(),
  },
  { example: { token: "from-the-link", newPassword: "correct horse battery" } },
)

/** The caller and its rights. */
export const Me = Type.Object(
  {
    id: Text,
    email: Text,
    name: Text,
    role: Type.Unsafe<Role>({ type: "string" }),
    scopes: Type.Array(Type.Unsafe<Scope>({ type: "string" })),
    credential: Type.Object({
      type: Type.Unsafe<"user" | "apiKey" | "oauthClient">({
        type: "string",
        enum: ["user", "apiKey", "oauthClient"],
      }),
      id: Text,
      name: Text,
    }),
    mustAddFactor: Type.Boolean({
      description:
        "True if the settings ask the user for a second factor, without which nothing else is allowed",
    }),
    expiresAt: Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "When the API key or the access token of the request expires; null if it never does.",
    }),
    rights: Type.Unsafe<Record<Area, Scope[]>>({
      type: "object",
      description: "What the caller may do, by area: role and scopes together.",
      additionalProperties: Type.Array(Text),
      examples: [{ items: ["read"], "sales-orders": ["read", "write", "delete"] }],
    }),
    plan: Type.Unsafe<PlanName>({ type: "string" }),
    limits: Type.Object({ minute: Limit, day: Limit }),
    company: Company,
  },
  { $id: "Me" },
)
export type Me = Static<typeof Me>

/** The email of a sign-in. Text that is not an email address is refused like an unknown one. */
const typedEmail = { ...secretText(), schema: Type.String({ format: "email" }) }

export const loginBody = body(
  { email: required(typedEmail), password: required(secretText()), code: code() },
  { example: { email: "admin@example.com", password: "correct horse battery" } },
)

export const refreshBody = body(
  { refreshToken: required(secretText()) },
  { example: { refreshToken: "$REFRESH" } },
)

export const passwordBody = body(
  { currentPassword: required(secretText()), newPassword: required(newPassword()) },
  { example: { currentPassword: "correct horse battery", newPassword: "a better horse battery" } },
)

export const setUpBody = body(
  {
    token: required(secretText()),
    email: required(email()),
    name: required(text({ examples: ["Ada Admin"] })),
    password: required(newPassword()),
  },
  {
    example: {
      token: "$SETUP_TOKEN",
      email: "admin@example.com",
      name: "Ada Admin",
      password: "correct horse battery",
    },
  },
)
