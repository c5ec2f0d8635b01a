import { Type, type TSchema } from "@sinclair/typebox"
import { keyOfName, type MailText, type Resource } from "../../core/kind/define"
import { field, type Field, withDefault, type Given } from "../../core/kind/field"
import { isObject, nullableSchema, refuseOther, tellUnknown } from "../../core/kind/object"
import { text } from "../../core/kind/text-field"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { type Language, languages } from "../../shared/languages"
import {
  longestMessage,
  longestSubject,
  type OwnPlaceholder,
  ownPlaceholders,
  placeholders,
  unknownPlaceholders,
} from "../../shared/mail"

/** The texts of mail: of each kind, in each language. */
export type MailTexts = Record<string, Record<Language, MailText>>

type Given_ = Record<string, Partial<Record<Language, Partial<MailText>>>>

/** A text with placeholders. */
const withPlaceholders = (given: Given<string>, own: readonly OwnPlaceholder[] = []): Given<string> => ({
  ...given,
  read(value, at, errors, mode, before) {
    const read = given.read(value, at, errors, mode, before)
    const error = read === undefined ? null : placeholderError(at, read, own)
    if (error) errors.push(error)
    return error ? undefined : read
  },
})

/** The error of a text with a placeholder that stands for nothing. `own` are those that only its kind has. */
export function placeholderError(
  at: string,
  value: string,
  own: readonly OwnPlaceholder[] = [],
): FieldError | null {
  const [name] = unknownPlaceholders(value, own)
  if (name === undefined) return null
  const known = [...placeholders, ...own].map((each) => `{${each}}`)
  return fieldError(
    at,
    "FORMAT",
    `has the unknown placeholder {${name.slice(0, 40)}}; there are ${known.join(" ")}`,
    { format: "placeholder", allowed: known },
  )
}

/** The fields of a text, whose message may have the placeholders `own`. A link is not for a subject. */
const mailTextWith = (own: readonly OwnPlaceholder[]) => ({
  subject: withPlaceholders(text({ max: longestSubject, examples: ["Invoice {number} from {company}"] })),
  message: withPlaceholders(
    text({ max: longestMessage, multiline: true, examples: ["Hello {contact},\n\n…\n\n{company}"] }),
    own,
  ),
})
type TextFields = ReturnType<typeof mailTextWith>

/** The fields of a text. Bodies that send a letter have the same. */
export const mailText: TextFields = mailTextWith([])
/** Those of a body that sends a record. Its kind is known later, and so is which placeholders it has. */
export const mailTextOfAny: TextFields = mailTextWith(ownPlaceholders)

/** What is sent by mail: a kind, or a letter that is no kind. */
export type Mailed = Pick<Resource, "name" | "mail" | "mailPlaceholders">

/** The texts that kinds declare, by their names in the settings. */
export const defaultTexts = (kinds: readonly Mailed[]): MailTexts =>
  Object.fromEntries(kinds.flatMap(({ name, mail }) => (mail ? [[keyOfName(name), { ...mail }]] : [])))

/** Replaces missing texts by those that kinds declare. */
export const filledTexts = (defaults: MailTexts, given: Given_ = {}): MailTexts =>
  mapTexts(defaults, (kind, language, text) => ({ ...text, ...given[kind]?.[language] }))

/** Returns the texts that differ from those that kinds declare. Only they are stored. */
export const ownTexts = (defaults: MailTexts, texts: MailTexts): Given_ =>
  mapTexts(defaults, (kind, language, usual) => {
    const { subject, message } = texts[kind]?.[language] ?? usual
    return {
      ...(subject === usual.subject ? {} : { subject }),
      ...(message === usual.message ? {} : { message }),
    }
  })

const mapTexts = <T>(
  defaults: MailTexts,
  make: (kind: string, language: Language, text: MailText) => T,
): Record<string, Record<Language, T>> =>
  Object.fromEntries(
    Object.entries(defaults).map(([kind, byLanguage]) => [
      kind,
      Object.fromEntries(
        languages.map((language) => [language, make(kind, language, byLanguage[language])]),
      ) as Record<Language, T>,
    ]),
  )

/** Returns an object of a body, or reports what is not one. */
export function objectAt(
  value: unknown,
  at: string,
  known: readonly string[],
  errors: FieldError[],
): Record<string, unknown> | undefined {
  if (!isObject(value)) return refuseOther(at, errors)
  tellUnknown(value, known, errors, `${at}.`)
  return value
}

/** Reads the texts. Missing ones are those of `before`, and null sets the default. */
function readTexts(
  { defaults, fieldsOf }: { defaults: MailTexts; fieldsOf: (kind: string) => TextFields },
  value: unknown,
  before: MailTexts,
  errors: FieldError[],
): MailTexts | undefined {
  const at = "mailTexts"
  const found = errors.length
  const kinds = objectAt(value, at, Object.keys(defaults), errors) ?? {}
  const read = mapTexts(defaults, (kind, language, usual) => {
    const ofKind = kinds[kind]
    const stored = before[kind]?.[language] ?? usual
    if (ofKind === undefined) return stored
    const byLanguage = ofKind === null ? {} : objectAt(ofKind, `${at}.${kind}`, languages, errors)
    const given = byLanguage?.[language]
    if (ofKind === null || given === null) return usual
    if (given === undefined) return stored
    const place = `${at}.${kind}.${language}`
    const parts = objectAt(given, place, Object.keys(mailText), errors) ?? {}
    return readText(parts, stored, usual, place, errors, fieldsOf(kind))
  })
  return errors.length > found ? undefined : read
}

/** Reads a text. A missing part is that of `stored`, and null sets the usual one. */
export function readText(
  given: Record<string, unknown>,
  stored: MailText,
  usual: MailText,
  at: string,
  errors: FieldError[],
  fields = mailText,
): MailText {
  const part = (name: keyof MailText): string => {
    const value = given[name]
    if (value === undefined || value === stored[name]) return stored[name]
    if (value === null) return usual[name]
    return fields[name].read(value, `${at}.${name}`, errors, "update") ?? stored[name]
  }
  return { subject: part("subject"), message: part("message") }
}

const description = `What mail with a record says, in each language. The texts may have the placeholders ${placeholders.map((name) => `\`{${name}}\``).join(", ")}, and the messages of quotations \`{link}\`, the page on which the customer answers; a paragraph with it is left out while there is none. Null sets the default.`

export const closed = (properties: Record<string, TSchema>, more: object = {}): TSchema =>
  Type.Unsafe({ type: "object", properties, additionalProperties: false, ...more })

export function mailTextsField(kinds: readonly Mailed[]): Field<MailTexts, "optional", false> {
  const defaults = defaultTexts(kinds)
  const own = new Map(kinds.map(({ name, mailPlaceholders }) => [keyOfName(name), mailPlaceholders]))
  const fieldsOf = (kind: string): TextFields => (own.get(kind) ? mailTextOfAny : mailText)
  const schemaOf = (wrap: (schema: TSchema) => TSchema) => {
    const texts = closed({ subject: wrap(mailText.subject.schema), message: wrap(mailText.message.schema) })
    const byLanguage = closed(Object.fromEntries(languages.map((language) => [language, wrap(texts)])))
    return closed(Object.fromEntries(Object.keys(defaults).map((kind) => [kind, wrap(byLanguage)])), {
      description,
    })
  }
  const given = field<MailTexts>(
    "json",
    schemaOf((schema) => schema),
    (value, _, errors, __, before) =>
      readTexts({ defaults, fieldsOf }, value, (before ?? defaults) as MailTexts, errors),
  )
  const orNull = (schema: TSchema) => nullableSchema({ schema, nullable: true })
  return withDefault({ ...given, givenSchema: () => schemaOf(orNull) }, defaults)
}
