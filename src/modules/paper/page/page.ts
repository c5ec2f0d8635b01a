import { asIs, html, toText, type Html } from "../../../lib/html"
import type { Logo } from "../../settings/store"
import { addressLines } from "../addresses"
import type { Current } from "../contents"
import { correctionOf, deliveryAddressOf, factsOf, type Worded } from "../shown"
import { companyBlock, companyFooter, filled } from "./letterhead"
import { lineTable } from "./lines"
import style from "./page.css" with { type: "text" }
import { remarks, totals } from "./totals"

type State = Pick<Current, "mark" | "payment">

/**
 * Returns a document as one HTML page that loads no other resources. It prints on A4, and has one column on a phone.
 */
export function printedPage(worded: Worded, { mark, payment }: State, logo: Logo | null): string {
  const { paper, texts } = worded
  const { kind, number, seller, notes, language } = paper
  const name = [
    texts.titles[kind],
    number ?? `(${texts.marks.draft})`,
    seller.legalName && `· ${seller.legalName}`,
  ]
  const stamp = mark === "draft" || mark === "cancelled" ? texts.marks[mark] : null
  return toText(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${name.filter(Boolean).join(" ")}</title>
          <style>
            ${asIs(style)}
          </style>
        </head>
        <body>
          ${stamp && html`<div class="watermark" aria-hidden="true">${stamp}</div>`}
          <main>
            ${heading(worded, mark, logo)} ${about(worded)} ${lineTable(worded)} ${totals(worded, payment)}
            ${remarks(worded)} ${filled(notes, (text) => notesBlock(texts.notes, text))}
            ${companyFooter(seller)}
          </main>
        </body>
      </html> `,
  )
}

const heading = (worded: Worded, mark: State["mark"], logo: Logo | null): Html => {
  const { paper, texts } = worded
  return html`<header>
    ${companyBlock(worded, logo)}
    <div class="title">
      <h1>${texts.titles[paper.kind]}</h1>
      <p class="number">${paper.number ?? texts.noNumber}</p>
      ${mark && html`<p class="mark ${mark}">${texts.marks[mark]}</p>`}
    </div>
  </header>`
}

/** The customer, where the goods go, and the dates and facts of the document. */
function about(worded: Worded): Html {
  const { paper, texts, formats } = worded
  const { name, contactName, address } = paper.buyer
  const facts = [...factsOf(worded), ...correctionOf(worded)].map(
    ([label, value]) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
  )
  return html`<section class="about">
    <div class="parties">
      <div class="customer">
        <h2>${texts.customer}</h2>
        <p class="name">${name}</p>
        ${filled(contactName, (text) => html`<p>${text}</p>`)}
        ${filled(addressLines(address, formats), (text) => html`<p class="address">${text}</p>`)}
      </div>
      ${filled(addressLines(deliveryAddressOf(paper), formats), (text) => delivery(texts.shippingAddress, text))}
    </div>
    <dl>${facts}</dl>
  </section>`
}

const delivery = (label: string, text: string): Html =>
  html`<div class="customer">
    <h2>${label}</h2>
    <p class="address">${text}</p>
  </div>`

const notesBlock = (label: string, text: string): Html =>
  html`<section class="notes">
    <h2>${label}</h2>
    <p>${text}</p>
  </section>`
