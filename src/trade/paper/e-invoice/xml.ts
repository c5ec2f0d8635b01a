import type { Paper, XmlFormat, XmlProfile } from "../model"
import { ciiOf } from "./cii"
import { contentOf } from "./content"
import { ublOf } from "./ubl"

/** Writes a document as XML. Nothing may be missing in it. The same document always gives the same text. */
export const xmlOf = (paper: Paper, format: XmlFormat, profile: XmlProfile): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${(format === "cii" ? ciiOf : ublOf)(contentOf(paper, profile))}\n`
