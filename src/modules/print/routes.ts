import { Type } from "@sinclair/typebox"
import { get, type Route } from "../../http/route"
import type { Resource } from "../../resource/define"
import { readParams } from "../../resource/query"
import { formatsOf, localeOf } from "./formats"
import type { Sheet } from "./model"
import { printedPage, type Letterhead } from "./page"

/** Whatever a customer's name may say, nothing on the page can run or load anything. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** GET /{kind}/{id}/print: one document as a page for paper, for callers who may read it. */
export const printRoute = (
  kind: Resource,
  sheetOf: (id: string) => Sheet,
  letterhead: () => Letterhead,
): Route =>
  get(
    `/${kind.name}/:id/print`,
    {
      may: kind.rights.read,
      id: `print${kind.title}`,
      tag: kind.name,
      summary: `Get one ${kind.noun} as a page to print`,
      description:
        "HTML for A4 paper that loads nothing and runs nothing. Its words are English; numbers and dates are written as Accept-Language asks.",
      names: { id: kind.noun },
      parameters: [
        {
          name: "Accept-Language",
          in: "header",
          description: "The first language whose numbers and dates are known counts; without one it is en.",
          schema: Type.String({ examples: ["de-DE,de;q=0.9,en;q=0.8"] }),
        },
      ],
      answer: { status: 200, description: "The page.", schema: Type.String(), type: "text/html" },
      refuses: [404],
    },
    ({ call, params, request, set }) => {
      readParams(call.query)
      const sheet = sheetOf(params.id ?? "")
      const locale = localeOf(request.headers.get("accept-language"))
      set.headers["content-type"] = "text/html; charset=utf-8"
      set.headers["content-security-policy"] = policy
      return printedPage(sheet, letterhead(), formatsOf(locale, sheet.currency))
    },
  )
