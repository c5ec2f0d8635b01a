import { Type } from "@sinclair/typebox"
import { get, type Route } from "../../../http/route"
import { readParams } from "../../../resource/query"
import { languages, type Language } from "../../../shared/languages"
import type { Logo } from "../../settings/store"
import { formatsOf, localeOf } from "../formats"
import type { PaperKind } from "../routes"
import { textsOf } from "../texts"
import { printedPage } from "./page"

/** Blocks all scripts and resources on the page, because the document can contain any text. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** GET /{kind}/{id}/print: a document as it is now, as a page to print, for callers who may read it. */
export const printRoute = (
  { kind, load, refuses }: PaperKind,
  findLogo: (hash: string) => Logo | null,
): Route =>
  get(
    `/${kind.name}/:id/print`,
    {
      may: kind.rights.read,
      id: `print${kind.title}`,
      tag: kind.name,
      summary: `Get one ${kind.noun} as a page to print`,
      description:
        "An HTML page for A4 paper, without scripts and external resources. An issued document is shown as it was issued, with what is paid now. Its words are in English, German or French, and its numbers and dates are formatted for Accept-Language.",
      names: { id: kind.noun },
      parameters: [
        {
          name: "Accept-Language",
          in: "header",
          description:
            "The first language whose number and date formats are known is used; the default is en.",
          schema: Type.String({ examples: ["de-DE,de;q=0.9,en;q=0.8"] }),
        },
      ],
      answer: { status: 200, description: "The page.", schema: Type.String(), type: "text/html" },
      refuses,
    },
    ({ call, params, request, set }) => {
      readParams(call.query)
      const locale = localeOf(request.headers.get("accept-language"))
      const language = languageOf(locale)
      const { paper: loaded, now } = load(params.id ?? "", language)
      const paper = { ...loaded, language }
      const worded = { paper, texts: textsOf[language], formats: formatsOf(locale, paper.currency) }
      set.headers["content-type"] = "text/html; charset=utf-8"
      set.headers["content-security-policy"] = policy
      const { logo } = paper.seller
      return printedPage(worded, now, logo === null ? null : findLogo(logo))
    },
  )

/** The language of the words on a page for a locale. */
const languageOf = (locale: string): Language =>
  languages.find((language) => locale.toLowerCase().split("-")[0] === language) ?? "en"
