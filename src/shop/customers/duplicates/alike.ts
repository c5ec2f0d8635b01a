import { fold, plainFold, wordsOf } from "../../../core/lib/text"

/** What a company is in law, and words between names: two names that differ only in them are probably one customer. */
const unsaid: ReadonlySet<string> = new Set(
  (
    "gmbh mbh ggmbh ag kg kgaa ohg gbr ug haftungsbeschrankt ek ekfm kfm kfr ev eg partg partgmbb co cie se " +
    "sarl sas sasu eurl sa snc sci ei srl spa sl slu lda ltd limited llc llp lp plc inc corp corporation bv nv vof " +
    "bvba ab oy as aps kft doo sro fa firma und u and et"
  ).split(" "),
)

/** What may stand before the name of a company, in the form in which names are sorted. */
const leads = ["firma ", "fa. ", "fa ", "sarl ", "s.a.r.l. ", "sas "]

/** The words of a name that tell whose it is, and where they stand in the folded name. */
type NameForm = { words: string[]; core: string }

/** "e.K." and "S.A.R.L." are single letters, which belong together. */
const joined = (words: readonly string[]): string[] =>
  words.reduce<{ words: string[]; isOpen: boolean }>(
    ({ words: before, isOpen }, word) => {
      const isLetter = word.length === 1 && /\p{L}/u.test(word)
      const last = before.at(-1) ?? ""
      return isLetter && isOpen
        ? { words: [...before.slice(0, -1), last + word], isOpen }
        : { words: [...before, word], isOpen: isLetter }
    },
    { words: [], isOpen: false },
  ).words

/** Umlauts may be written with e. */
const withoutUmlauts = (folded: string): string => folded.replace(/(?<=[aou])e/g, "")
const withUmlauts = (name: string): string =>
  plainFold(
    name.toLowerCase().replace(/[äöü]/g, (letter) => ({ ä: "ae", ö: "oe", ü: "ue" })[letter] ?? letter),
  )

/** Returns what of a folded name is compared: its words without legal forms. A name that has no other words keeps them. */
function formOf(folded: string): NameForm {
  const all = joined(wordsOf(folded))
  const said = all.filter((word) => !unsaid.has(word))
  const words = said.length === 0 ? all : said
  const [first = "", last = ""] = [words[0], words.at(-1)]
  // Joined letters do not stand in the name as they are.
  const from = Math.max(0, folded.indexOf(first))
  const end = folded.lastIndexOf(last)
  return {
    words: words.map(withoutUmlauts),
    core: folded.slice(from, end < from ? undefined : end + last.length),
  }
}

/** The form in which names are the same: without case, accents, punctuation, legal forms and the order of the words. */
export const nameKey = (name: string): string => formOf(fold(name)).words.toSorted().join(" ")

/** From these lengths on, a name may have one wrong letter, and two. */
const [longEnough, veryLong] = [5, 16]

/** Returns a function that tells whether a folded name is the same as a name, or has a small typing error. */
export function alikeTo(name: string): (folded: string) => boolean {
  const wanted = formOf(fold(name)).words
  const [text, sorted, digits] = [wanted.join(""), wanted.toSorted().join(""), digitsOf(wanted)]
  const most = text.length < longEnough ? 0 : text.length < veryLong ? 1 : 2
  return (folded) => {
    const { words } = formOf(folded)
    const other = words.join("")
    if (other === text || words.toSorted().join("") === sorted) return true
    // Branches and customers with numbers are not typing errors.
    return most > 0 && digitsOf(words) === digits && isWithin(text, other, most)
  }
}

const digitsOf = (words: readonly string[]): string => words.join(" ").replace(/\D+/g, " ").trim()

/** True when at most some letters must be added, left out, replaced or exchanged with the next one. */
function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(isExchanged ? Math.min(least, (before[j - 2] ?? 0) + 1) : least)
    }
    if (Math.min(...next) > most) return false
    ;[before, row] = [row, next]
  }
  return (row[b.length] ?? 0) <= most
}

/** Shorter beginnings are those of too many names. */
const shortest = 3

/** The beginnings of folded names under which those that are like a name are found, the longest first. */
export function beginningsOf(name: string): string[] {
  const forms = new Set([fold(name), withoutUmlauts(fold(name)), withUmlauts(name)])
  return [
    ...new Set(
      [...forms].flatMap((form) => {
        const { core } = formOf(form)
        const half = core.slice(0, Math.max(shortest, Math.ceil(core.length / 2)))
        const words = wordsOf(core)
        const ends = [words[0] ?? "", words.at(-1) ?? ""].filter(({ length }) => length >= shortest)
        return [core, half, ...ends, ...leads.map((lead) => lead + core)]
      }),
    ),
  ]
}

/** What of an address is compared. */
export type Place = { street?: unknown; zipCode?: unknown; city?: unknown }

/** Letters of a part that are compared. Folding makes many of some characters, and an index of PostgreSQL takes 2,700 bytes. */
const mostLetters = 200

/** Letters and digits without case and accents, with umlauts and "Straße" in one form. */
const plain = (text: unknown): string =>
  typeof text === "string"
    ? withoutUmlauts(fold(text).replace(/[^\p{L}\p{N}]/gu, ""))
        .replaceAll("strasse", "str")
        .slice(0, mostLetters)
    : ""

/** The parts of a place that are compared; null if they say too little: a street without a number, or without a town. */
function placeOf({ street, zipCode, city }: Place): { street: string; zip: string; city: string } | null {
  const place = { street: plain(street), zip: plain(zipCode), city: plain(city) }
  const isEnough = /\p{L}/u.test(place.street) && /\p{N}/u.test(place.street)
  return isEnough && (place.zip !== "" || place.city !== "") ? place : null
}

/** The form of an address that is stored, so that those in one street and town stand beside each other. */
export function addressKey(address: Place): string {
  const place = placeOf(address)
  return place === null ? "" : `${place.street}|${place.zip}|${place.city}`
}

/** The place of an address by which rows of one file are compared; empty if it says too little. */
export function placeKey(address: Place): string {
  const place = placeOf(address)
  if (place === null) return ""
  return `${place.street}|${place.zip || `|${place.city}`}`
}

/** How the same address is found among the stored forms: by their beginnings, and then by what the whole form must be. */
export type AddressSearch = { beginning: string; isSame: (key: string) => boolean }

/**
 * The same street with the same postcode is the same address. If one of the two has no postcode, the town counts instead.
 */
export function addressSearches(address: Place): AddressSearch[] {
  const place = placeOf(address)
  if (place === null) return []
  const { street, zip, city } = place
  const ofCity = (key: string) => city !== "" && key.endsWith(`|${city}`)
  return zip === ""
    ? [{ beginning: `${street}|`, isSame: ofCity }]
    : [
        { beginning: `${street}|${zip}|`, isSame: () => true },
        { beginning: `${street}||`, isSame: ofCity },
      ]
}
