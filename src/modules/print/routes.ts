import { Type } from "@sinclair/typebox"
import { get, type Route } from "../../http/route"
import type { Resource } from "../../resource/define"
import { readParams } from "../../resource/query"
import { formatsOf, localeOf } from "./formats"
import type { Logo } from "../settings/store"
import type { Sheet } from "./model"
import { printedPage } from "./page"

/** Blocks all scripts and resources on the page, because the document can contain any text. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** GET /{kind}/{id}/print: a document as a page to print, for callers who may read it. */
export const printRoute = (
  kind: Resource,
  sheetOf: (id: string) => Sheet,
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
        "An HTML page for A4 paper, without scripts and external resources. An issued invoice shows the company and the customer as they were at issue. Its labels are in English; numbers and dates are formatted for Accept-Language.",
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
      refuses: [404],
    },
    ({ call, params, request, set }) => {
      readParams(call.query)
      const sheet = sheetOf(params.id ?? "")
      const locale = localeOf(request.headers.get("accept-language"))
      set.headers["content-type"] = "text/html; charset=utf-8"
      set.headers["content-security-policy"] = policy
      const { logo } = sheet.seller
      return printedPage(sheet, logo === null ? null : findLogo(logo), formatsOf(locale, sheet.currency))
    },
  )
