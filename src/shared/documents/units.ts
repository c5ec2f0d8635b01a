/** The UN/ECE codes of common units, each with the words for it in English, German and French. */
const words: Readonly<Record<string, string>> = {
  C62: "nos no unit units one each ea einheit einheiten unité unités",
  H87: "pc pcs piece pieces stk stck stück st pce pces pièce pièces",
  HUR: "h hr hrs hour hours std stunde stunden heure heures",
  MIN: "min mins minute minutes minuten",
  SEC: "s sec second seconds sek sekunde sekunden seconde secondes",
  DAY: "d day days tag tage jour jours",
  WEE: "wk week weeks woche wochen semaine semaines",
  MON: "mo month months monat monate mois",
  QAN: "quarter quarters quartal quartale trimestre trimestres",
  ANN: "yr year years jahr jahre an ans année années",
  KGM: "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes",
  GRM: "g gr gram grams gramm gramme grammes",
  MGM: "mg",
  TNE: "t to ton tons tonne tonnes tonnen",
  LBR: "lb lbs pound pounds pfund livre livres",
  ONZ: "oz ounce ounces",
  LTR: "l ltr liter liters litre litres",
  MLT: "ml",
  CLT: "cl",
  HLT: "hl",
  MTR: "m meter meters metre metres mètre mètres lfm",
  CMT: "cm",
  MMT: "mm",
  KMT: "km",
  INH: "in inch inches zoll pouce pouces",
  FOT: "ft foot feet fuß pied pieds",
  SMI: "mile miles meile meilen",
  MTK: "m² m2 qm sqm",
  MTQ: "m³ m3 cbm",
  CMK: "cm² cm2",
  KWH: "kwh",
  MWH: "mwh",
  KWT: "kw",
  XBX: "box boxes kiste kisten schachtel schachteln boîte boîtes",
  XCT: "carton cartons karton kartons ctn",
  XPK: "pack packs package packages packung packungen pkg paket pakete paquet paquets",
  XPX: "pallet pallets palette paletten palettes",
  XBG: "bag bags beutel tüte tüten sac sacs",
  XSA: "sack sacks säcke",
  XBO: "bottle bottles flasche flaschen bouteille bouteilles",
  XRO: "roll rolls rolle rollen rouleau rouleaux",
  XCX: "can cans dose dosen canette canettes",
  XTU: "tube tubes tuben",
  XBJ: "bucket buckets eimer seau seaux",
  XCR: "crate crates caisse caisses",
  PR: "pair pairs paar paare paire paires",
  SET: "set sets satz sätze garnitur jeu jeux",
  DZN: "dz doz dozen dozens dutzend douzaine douzaines",
  XST: "sheet sheets blatt blätter bogen feuille feuilles",
  LS: "flat lumpsum flatrate pauschal pauschale psch forfait forfaits",
  E48: "service services leistung leistungen prestation prestations",
  P1: "% percent prozent pourcent",
}

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)),
)

/**
 * The form in which units are compared. Letters can be composed or not, and invisible characters do not count: other
 * fields are stored without them.
 */
export const keyOf = (uom: string): string =>
  uom
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s|\.$|\p{Cf}/gu, "")

type Own = Readonly<Record<string, string>>
type IsCode = (text: string) => boolean

/**
 * Returns the function that finds the UN/ECE code of a unit, or null when it has none: the code of the settings, or that
 * of a common word. A unit that `isCode` accepts is its own code. Case and a dot at the end do not matter, except in
 * codes.
 */
export function unitCodes(own: Own, isCode: IsCode = () => false): (uom: string) => string | null {
  // Of words that differ only in case, the first one counts.
  const ownCodes = new Map(
    Object.entries(own)
      .map(([word, code]) => [keyOf(word), code] as const)
      .toReversed(),
  )
  return (uom) => {
    const key = keyOf(uom)
    return ownCodes.get(key) ?? codes.get(key) ?? (isCode(uom.trim()) ? uom.trim() : null)
  }
}

/** Returns the UN/ECE code of one unit. */
export const unitCodeOf = (uom: string, own: Own, isCode?: IsCode): string | null =>
  unitCodes(own, isCode)(uom)
