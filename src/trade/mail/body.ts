import { Type } from "@sinclair/typebox"
import { body, type BodyOf } from "../../core/kind/body"
import { choice, field, type Given, list } from "../../core/kind/field"
import type { Resource } from "../../core/kind/define"
import { externalFields } from "../../core/kind/tag"
import { email } from "../../core/kind/text-field"
import { fieldError, type FieldError, reporter } from "../../core/lib/refusal"
import { mailKey } from "../../core/lib/text"
import { mailText, mailTextOfAny, placeholderError } from "../../office/settings/mail-texts"
import { languages } from "../../shared/languages"
import { mostRecipients } from "../../shared/mail"
import { xmlFormats, xmlProfiles } from "../paper/model"

/** In characters. More than the longest list of addresses. */
const longestList = mostRecipients * 260

/** One address or several: a list, or a text in which they are separated by commas. */
function addresses(): Given<string[]> {
  const one = email()
  const schema = Type.Unsafe<string[]>({
    anyOf: [
      { type: "string", minLength: 1, maxLength: longestList },
      { type: "array", items: one.schema, minItems: 1, maxItems: mostRecipients },
    ],
    examples: ["office@example.com"],
  })
  return field("json", schema, (value, at, errors, mode) => {
    const error = reporter(errors, at)
    if (typeof value === "string" && value.length > longestList)
      return error("TOO_LONG", `must be at most ${longestList} characters long`, { max: longestList })
    const given: unknown[] | null =
      typeof value === "string" ? value.split(/[,;]/) : Array.isArray(value) ? value : null
    if (!given) return error("TYPE", "must be an email address or an array of them", { type: "string" })
    if (given.length === 0) return error("TOO_SHORT", "must have at least 1 entry", { min: 1 })
    if (given.length > mostRecipients) return error("TOO_LONG", tooMany, { max: mostRecipients })
    const found: FieldError[] = []
    const read = given.map((each, i) =>
      one.read(each, Array.isArray(value) ? `${at}[${i}]` : at, found, mode),
    )
    errors.push(...found)
    return found.length > 0 ? undefined : unrepeated(read.flatMap((each) => each ?? []))
  })
}

const tooMany = `must have at most ${mostRecipients} addresses, to and cc together`

/** Removes addresses that are there already. */
export const unrepeated = (given: readonly string[], others: readonly string[] = []): string[] => {
  const known = new Set(others.map(mailKey))
  return given.filter((each) => !known.has(mailKey(each)) && known.add(mailKey(each)))
}

/** The errors of addresses that are too many together. */
export const countErrors = (to: readonly string[], cc: readonly string[]): FieldError[] =>
  to.length + cc.length > mostRecipients
    ? [fieldError(cc.length > 0 ? "cc" : "to", "TOO_LONG", tooMany, { max: mostRecipients })]
    : []

const attached = ["pdf", "xml"] as const

/** What every message can be told. Everything has a default. */
export const messageFields = {
  to: addresses(),
  cc: addresses(),
  subject: mailText.subject,
  message: mailText.message,
  language: choice(languages),
  ...externalFields,
}

/** A body that sends a document. */
export const mailBody = body(
  {
    ...messageFields,
    message: mailTextOfAny.message,
    attach: list(choice(attached), { max: attached.length }),
    format: choice(xmlFormats),
    profile: choice(xmlProfiles),
  },
  { example: { to: "office@example.com" }, isOptional: true },
)
export type MailBody = BodyOf<typeof mailBody>

/** Only messages of some kinds have a link. */
export const linkErrors = ({ mailPlaceholders }: Resource, { message }: MailBody): FieldError[] => {
  const error = message === null ? null : placeholderError("message", message, mailPlaceholders)
  return error ? [error] : []
}
