import { Type } from "@sinclair/typebox"
import type { MailText } from "../../core/kind/define"
import { decimal, type Field, field, integer, withDefault } from "../../core/kind/field"
import { nullableSchema } from "../../core/kind/object"
import { fieldError, type FieldError, reporter } from "../../core/lib/refusal"
import { placeholders } from "../../shared/mail"
import { type Language, languages } from "../../shared/languages"
import { closed, mailText, objectAt, readText } from "./mail-texts"

/** When a reminder of an invoice is due, what it costs, and what it says in each language. */
export type ReminderLevel = {
  /** The number of days after the due date of the invoice. */
  afterDays: number
  /** What is claimed on paper. */
  fee: number
  texts: Record<Language, MailText>
}

const mostLevels = 5
const afterDays = integer({ min: 0, max: 365 })
const fee = decimal({ min: 0, max: 1_000_000, example: 5 })

/** What the first reminder says, those after it, and the last one. */
const usualTexts: Record<"first" | "next" | "last", Record<Language, MailText>> = {
  first: {
    en: {
      subject: "Payment reminder: invoice {number}",
      message:
        "Hello,\n\nyou may have overlooked it: invoice {number} was due on {dueDate}, and {balance} of it is still open. Please pay it within the next days. If you have paid in the meantime, please ignore this letter.\n\nKind regards\n{company}",
    },
    de: {
      subject: "Zahlungserinnerung: Rechnung {number}",
      message:
        "Guten Tag,\n\nsicher haben Sie es nur übersehen: Die Rechnung {number} war am {dueDate} fällig, und {balance} sind noch offen. Bitte überweisen Sie den Betrag in den nächsten Tagen. Falls Sie inzwischen bezahlt haben, betrachten Sie dieses Schreiben bitte als gegenstandslos.\n\nMit freundlichen Grüßen\n{company}",
    },
    fr: {
      subject: "Rappel de paiement : facture {number}",
      message:
        "Bonjour,\n\nvous l’avez sans doute oubliée : la facture {number} était payable au {dueDate}, et {balance} restent dus. Merci de régler ce montant dans les prochains jours. Si vous avez payé entre-temps, veuillez ne pas tenir compte de ce courrier.\n\nCordialement\n{company}",
    },
  },
  next: {
    en: {
      subject: "Second reminder: invoice {number}",
      message:
        "Hello,\n\ndespite our reminder, {balance} of invoice {number}, which was due on {dueDate}, is still open. Please pay it within 7 days.\n\nKind regards\n{company}",
    },
    de: {
      subject: "Mahnung: Rechnung {number}",
      message:
        "Guten Tag,\n\ntrotz unserer Erinnerung sind von der Rechnung {number}, fällig am {dueDate}, noch {balance} offen. Bitte überweisen Sie den Betrag innerhalb von 7 Tagen.\n\nMit freundlichen Grüßen\n{company}",
    },
    fr: {
      subject: "Deuxième rappel : facture {number}",
      message:
        "Bonjour,\n\nmalgré notre rappel, {balance} de la facture {number}, payable au {dueDate}, restent dus. Merci de régler ce montant sous 7 jours.\n\nCordialement\n{company}",
    },
  },
  last: {
    en: {
      subject: "Last reminder: invoice {number}",
      message:
        "Hello,\n\n{balance} of invoice {number}, which was due on {dueDate}, is still open. This is our last reminder. If we do not receive the amount within 7 days, we will have to take further steps.\n\nKind regards\n{company}",
    },
    de: {
      subject: "Letzte Mahnung: Rechnung {number}",
      message:
        "Guten Tag,\n\nvon der Rechnung {number}, fällig am {dueDate}, sind noch immer {balance} offen. Dies ist unsere letzte Mahnung. Geht der Betrag nicht innerhalb von 7 Tagen bei uns ein, müssen wir weitere Schritte einleiten.\n\nMit freundlichen Grüßen\n{company}",
    },
    fr: {
      subject: "Dernier rappel : facture {number}",
      message:
        "Bonjour,\n\n{balance} de la facture {number}, payable au {dueDate}, restent toujours dus. Ceci est notre dernier rappel. Sans paiement sous 7 jours, nous devrons engager d’autres démarches.\n\nCordialement\n{company}",
    },
  },
}

/** The texts of a level that has none of its own. */
const usualAt = (i: number, count: number): Record<Language, MailText> =>
  usualTexts[i === 0 ? "first" : i === count - 1 ? "last" : "next"]

const usualDays = [7, 21, 35]
const usual: readonly ReminderLevel[] = usualDays.map((days, i) => ({
  afterDays: days,
  fee: 0,
  texts: usualAt(i, usualDays.length),
}))

/** Reads the levels. They rise; the texts that are missing are the usual ones. */
function readLevels(value: unknown, at: string, errors: FieldError[]): ReminderLevel[] | undefined {
  const error = reporter(errors, at)
  const found = errors.length
  if (!Array.isArray(value)) return error("TYPE", "must be an array", { type: "array" })
  if (value.length === 0) return error("TOO_SHORT", "must have at least 1 entry", { min: 1 })
  if (value.length > mostLevels)
    return error("TOO_LONG", `must have at most ${mostLevels} entries`, { max: mostLevels })
  const levels = value.map((each, i) => readLevel(each, usualAt(i, value.length), `${at}[${i}]`, errors))
  if (errors.length === found)
    levels.forEach((level, i) => {
      const min = i === 0 ? 0 : (levels[i - 1]?.afterDays ?? 0) + 1
      if (level.afterDays < min)
        errors.push(fieldError(`${at}[${i}].afterDays`, "TOO_SMALL", `must be at least ${min}`, { min }))
    })
  return errors.length > found ? undefined : levels
}

function readLevel(
  value: unknown,
  usualTextsOfLevel: Record<Language, MailText>,
  at: string,
  errors: FieldError[],
): ReminderLevel {
  const given = objectAt(value, at, ["afterDays", "fee", "texts"], errors) ?? {}
  const texts = given.texts == null ? {} : (objectAt(given.texts, `${at}.texts`, languages, errors) ?? {})
  const read = languages.map((language) => {
    const [place, text] = [`${at}.texts.${language}`, usualTextsOfLevel[language]]
    const own = texts[language] == null ? {} : objectAt(texts[language], place, Object.keys(mailText), errors)
    return [language, readText(own ?? {}, text, text, place, errors)] as const
  })
  if (given.afterDays == null) errors.push(fieldError(`${at}.afterDays`, "REQUIRED", "is required"))
  return {
    afterDays:
      given.afterDays == null
        ? 0
        : (afterDays.read(given.afterDays, `${at}.afterDays`, errors, "create") ?? 0),
    fee: given.fee == null ? 0 : (fee.read(given.fee, `${at}.fee`, errors, "create") ?? 0),
    texts: Object.fromEntries(read) as Record<Language, MailText>,
  }
}

const description = `When reminders of an invoice are due: \`afterDays\` after its due date, and at least as many days after the last reminder as there are between their levels. The \`fee\` is claimed on the letter only. The texts may have the placeholders ${placeholders.map((name) => `\`{${name}}\``).join(", ")}; \`{number}\` is the number of the invoice. Missing texts are the usual ones, and null sets the usual levels.`

const schemaOf = (wrap: (schema: typeof mailText.subject.schema) => typeof mailText.subject.schema) => {
  const texts = closed({ subject: wrap(mailText.subject.schema), message: wrap(mailText.message.schema) })
  const byLanguage = closed(Object.fromEntries(languages.map((language) => [language, wrap(texts)])))
  return Type.Array(
    closed(
      { afterDays: afterDays.schema, fee: wrap(fee.schema), texts: wrap(byLanguage) },
      { required: ["afterDays"] },
    ),
    { minItems: 1, maxItems: mostLevels, description },
  )
}

export function reminderLevelsField(): Field<ReminderLevel[], "optional", false> {
  const given = field<ReminderLevel[]>(
    "json",
    schemaOf((schema) => schema),
    (value, at, errors) => readLevels(value, at, errors),
  )
  const orNull = (schema: typeof mailText.subject.schema) => nullableSchema({ schema, nullable: true })
  return withDefault({ ...given, givenSchema: () => schemaOf(orNull) }, [...usual])
}
