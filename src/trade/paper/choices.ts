import { Type } from "@sinclair/typebox"
import type { Parameter } from "../../core/http/route/route"
import { badQuery, type Params } from "../../core/kind/query"
import { languages } from "../../shared/languages"
import { xmlFormats, xmlProfiles } from "./model"

/** A parameter with few values. */
const choice = <T extends string, D extends T | null>(
  name: string,
  values: readonly T[],
  fallback: D,
  description: string,
) => {
  const parameter: Parameter = {
    name,
    in: "query",
    description,
    schema: Type.Unsafe({ type: "string", enum: [...values], ...(fallback && { default: fallback }) }),
  }
  return {
    name,
    parameter,
    in(params: Params): T | D {
      const given = params.get(name)
      if (given === undefined) return fallback
      const found = values.find((value) => value === given)
      if (found) return found
      throw badQuery(name, "FORMAT", `must be one of ${values.join(", ")}`, { allowed: values })
    },
  }
}

export const languageChoice = choice(
  "language",
  languages,
  null,
  "The default is the language of the customer at issue, then that of the settings.",
)
export const formatChoice = choice(
  "format",
  xmlFormats,
  "cii",
  "CII (UN/CEFACT Cross Industry Invoice) or UBL 2.1.",
)
export const profileChoice = choice(
  "profile",
  xmlProfiles,
  "en16931",
  "EN 16931, or XRechnung, which the public sector in Germany requires.",
)
