import type { Language } from "../languages"
import { keyOf } from "../documents/units"

/** The words of a language for a unit: how paper writes it, of one and of several, and others that mean the same. */
type Words = { one: string; many?: string; others?: string }

/** Units that are called by words. Abbreviations that all languages have, such as kg, are none of them. */
const units: readonly Record<Language, Words>[] = [
  {
    en: { one: "pc", many: "pcs", others: "nos no unit units each ea piece pieces" },
    de: { one: "Stk", others: "stck stück st einheit einheiten" },
    fr: { one: "pce", many: "pces", others: "pièce pièces unité unités" },
  },
  {
    en: { one: "h", others: "hr hrs hour hours" },
    de: { one: "Std", others: "h stunde stunden" },
    fr: { one: "h", others: "heure heures" },
  },
  {
    en: { one: "min", others: "mins minute minutes" },
    de: { one: "Min", others: "minuten" },
    fr: { one: "min", others: "minute minutes" },
  },
  {
    en: { one: "day", many: "days", others: "d" },
    de: { one: "Tag", many: "Tage", others: "d" },
    fr: { one: "jour", many: "jours", others: "d j" },
  },
  {
    en: { one: "week", many: "weeks", others: "wk" },
    de: { one: "Woche", many: "Wochen" },
    fr: { one: "semaine", many: "semaines" },
  },
  {
    en: { one: "month", many: "months" },
    de: { one: "Monat", many: "Monate" },
    fr: { one: "mois" },
  },
  {
    en: { one: "quarter", many: "quarters" },
    de: { one: "Quartal", many: "Quartale" },
    fr: { one: "trimestre", many: "trimestres" },
  },
  {
    en: { one: "year", many: "years", others: "yr" },
    de: { one: "Jahr", many: "Jahre" },
    fr: { one: "an", many: "ans", others: "année années" },
  },
  {
    en: { one: "box", many: "boxes" },
    de: { one: "Kiste", many: "Kisten", others: "box boxen schachtel schachteln" },
    fr: { one: "boîte", many: "boîtes" },
  },
  {
    en: { one: "carton", many: "cartons", others: "ctn" },
    de: { one: "Karton", many: "Kartons" },
    fr: { one: "carton", many: "cartons" },
  },
  {
    en: { one: "pack", many: "packs", others: "package packages" },
    de: { one: "Packung", many: "Packungen", others: "pkg pack paket pakete" },
    fr: { one: "paquet", many: "paquets" },
  },
  {
    en: { one: "pallet", many: "pallets" },
    de: { one: "Palette", many: "Paletten" },
    fr: { one: "palette", many: "palettes" },
  },
  {
    en: { one: "bag", many: "bags" },
    de: { one: "Beutel", others: "tüte tüten" },
    fr: { one: "sachet", many: "sachets" },
  },
  {
    en: { one: "sack", many: "sacks" },
    de: { one: "Sack", many: "Säcke" },
    fr: { one: "sac", many: "sacs" },
  },
  {
    en: { one: "bottle", many: "bottles" },
    de: { one: "Flasche", many: "Flaschen" },
    fr: { one: "bouteille", many: "bouteilles" },
  },
  {
    en: { one: "roll", many: "rolls" },
    de: { one: "Rolle", many: "Rollen" },
    fr: { one: "rouleau", many: "rouleaux" },
  },
  {
    en: { one: "can", many: "cans" },
    de: { one: "Dose", many: "Dosen" },
    fr: { one: "canette", many: "canettes" },
  },
  {
    en: { one: "pair", many: "pairs" },
    de: { one: "Paar" },
    fr: { one: "paire", many: "paires" },
  },
  {
    en: { one: "set", many: "sets" },
    de: { one: "Satz", many: "Sätze", others: "set sets" },
    fr: { one: "jeu", many: "jeux", others: "set sets" },
  },
  {
    en: { one: "dozen", others: "doz dozens" },
    de: { one: "Dutzend" },
    fr: { one: "douzaine", many: "douzaines" },
  },
  {
    en: { one: "sheet", many: "sheets" },
    de: { one: "Blatt", others: "blätter bogen" },
    fr: { one: "feuille", many: "feuilles" },
  },
  {
    en: { one: "flat", others: "lumpsum flatrate" },
    de: { one: "pauschal", others: "pauschale psch" },
    fr: { one: "forfait", many: "forfaits" },
  },
  {
    en: { one: "meter", many: "meters", others: "metre metres" },
    de: { one: "m", others: "meter lfm" },
    fr: { one: "m", others: "mètre mètres" },
  },
  {
    en: { one: "liter", many: "liters", others: "litre litres" },
    de: { one: "l", others: "liter" },
    fr: { one: "l", others: "litre litres" },
  },
  {
    en: { one: "kg", others: "kilo kilos kilogram kilograms" },
    de: { one: "kg", others: "kilo kilogramm" },
    fr: { one: "kg", others: "kilo kilos kilogramme kilogrammes" },
  },
]

const wordsIn = ({ one, many = "", others = "" }: Words): string[] =>
  [one, many, ...others.split(" ")].filter(Boolean).map(keyOf)

/** A unit, and the languages in which the word for it is one. */
type Known = { unit: Record<Language, Words>; languages: Set<string> }

const known = new Map<string, Known>()
for (const unit of units)
  for (const [language, words] of Object.entries(unit))
    for (const word of wordsIn(words)) {
      const found = known.get(word) ?? { unit, languages: new Set() }
      found.languages.add(language)
      known.set(word, found)
    }

/** Writes a unit in the language of the paper if it is a common word of another one. Any other unit stays as typed. */
export function unitIn(language: Language, uom: string, quantity: number): string {
  const found = known.get(keyOf(uom))
  if (!found || found.languages.has(language)) return uom
  const words = found.unit[language]
  const isOne = language === "fr" ? quantity < 2 : quantity === 1
  return isOne ? words.one : (words.many ?? words.one)
}
