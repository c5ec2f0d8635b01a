import { asIs, html, toText, type Html } from "../../lib/html"
import type { Logo } from "../settings/store"
import { addressLines } from "./addresses"
import type { Formats } from "./formats"
import { companyBlock, companyFooter, filled } from "./letterhead"
import { lineTable } from "./lines"
import type { Sheet } from "./model"
import style from "./page.css" with { type: "text" }
import { remarks, totals } from "./totals"

/**
 * Returns a document as one HTML page that loads no other resources. It prints on A4, and has one column on a phone.
 */
export function printedPage(sheet: Sheet, logo: Logo | null, formats: Formats): string {
  const { title, number, mark, seller } = sheet
  const name = [title, number ?? "(draft)", seller.legalName && `· ${seller.legalName}`]
  return toText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${name.filter(Boolean).join(" ")}</title>
          <style>
            ${asIs(style)}
          </style>
        </head>
        <body>
          ${mark === "draft" || mark === "cancelled" ? html`<div class="watermark" aria-hidden="true">${mark}</div>` : null}
          <main>
            ${heading(sheet, logo, formats)} ${about(sheet, formats)} ${lineTable(sheet, formats)}
            ${totals(sheet, formats)} ${remarks(sheet)} ${filled(sheet.notes, notes)} ${companyFooter(seller)}
          </main>
        </body>
      </html> `,
  )
}

const heading = ({ title, number, mark, seller }: Sheet, logo: Logo | null, formats: Formats): Html =>
  html`<header>
    ${companyBlock(seller, logo, formats)}
    <div class="title">
      <h1>${title}</h1>
      <p class="number">${number ?? "No number yet"}</p>
      ${mark && html`<p class="mark ${mark}">${mark}</p>`}
    </div>
  </header>`

/** The customer, where the goods go, and the dates and facts of the document. */
const about = (sheet: Sheet, formats: Formats): Html =>
  html`<section class="about">
    <div class="parties">
      <div class="customer">
        <h2>Customer</h2>
        <p class="name">${sheet.customer.name}</p>
        ${filled(sheet.customer.contactName, (text) => html`<p>${text}</p>`)}
        ${filled(addressLines(sheet.customer.address, formats), (text) => html`<p class="address">${text}</p>`)}
        ${filled(sheet.customer.taxId, (text) => html`<p>Tax ID ${text}</p>`)}
      </div>
      ${filled(addressLines(sheet.shippingAddress, formats), shipping)}
    </div>
    <dl>${factRows(sheet, formats)}</dl>
  </section>`

const shipping = (text: string): Html =>
  html`<div class="customer">
    <h2>Ship to</h2>
    <p class="address">${text}</p>
  </div>`

const notes = (text: string): Html =>
  html`<section class="notes">
    <h2>Notes</h2>
    <p>${text}</p>
  </section>`

function factRows({ dates, facts }: Sheet, formats: Formats): Html[] {
  const shown = dates.map(([label, value]) => [label, value && formats.date(value)] as const)
  return [...shown, ...facts].flatMap(([label, value]) =>
    value
      ? [
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
        ]
      : [],
  )
}
