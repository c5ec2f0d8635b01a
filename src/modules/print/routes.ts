import type { App } from "../../http/app"
import { idParameter } from "../../http/crud-operations"
import { operation } from "../../http/operation"
import type { Right } from "../../http/caller"
import type { Resource } from "../../resource/define"
import { readParams } from "../../resource/query"
import { formatsOf, localeOf } from "./formats"
import type { Sheet } from "./model"
import { printedPage, type Letterhead } from "./page"

/** Whatever a customer's name may say, nothing on the page can run or load anything. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** GET /{kind}/{id}/print: one document as a page for paper, for whoever may read it. */
export const printRoute =
  (kind: Resource, right: Right, sheetOf: (id: string) => Sheet, letterhead: () => Letterhead) =>
  (app: App) =>
    app.get(
      `/api/v1/${kind.name}/:id/print`,
      ({ call, params, request, set }) => {
        readParams(call.query)
        const sheet = sheetOf(params.id)
        const locale = localeOf(request.headers.get("accept-language"))
        set.headers["content-type"] = "text/html; charset=utf-8"
        set.headers["content-security-policy"] = policy
        return printedPage(sheet, letterhead(), formatsOf(locale, sheet.currency))
      },
      { may: right, detail: printOperation(kind) },
    )

const printOperation = ({ title, noun, name }: Resource) =>
  operation(() => ({
    id: `print${title}`,
    summary: `Get one ${noun} as a page to print`,
    description:
      "HTML for A4 paper that loads nothing and runs nothing. Its words are English; numbers and dates are written as Accept-Language asks.",
    tag: name,
    parameters: [
      idParameter(noun),
      {
        name: "Accept-Language",
        in: "header",
        description: "The first language whose numbers and dates are known counts; without one it is en.",
        schema: { type: "string", examples: ["de-DE,de;q=0.9,en;q=0.8"] },
      },
    ],
    answers: { status: 200, description: "The page.", schema: { type: "string" }, type: "text/html" },
    refuses: [404],
  }))
