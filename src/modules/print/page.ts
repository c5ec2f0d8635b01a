import { asIs, html, toText, type Html } from "../../lib/html"
import type { Settings } from "../settings/model"
import type { Formats } from "./formats"
import type { Address, Sheet, SheetLine } from "./model"
import style from "./page.css" with { type: "text" }

/** The company that issues the document. */
export type Letterhead = Pick<Settings, "companyName" | "companyAddress" | "companyTaxId">

/**
 * Returns a document as one HTML page that loads no other resources. It prints on A4, and has one column on a phone.
 */
export function printedPage(sheet: Sheet, company: Letterhead, formats: Formats): string {
  const { title, number, mark } = sheet
  const name = [title, number ?? "(draft)", company.companyName && `· ${company.companyName}`]
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
            ${heading(sheet, company)} ${about(sheet, formats)} ${lineTable(sheet, formats)}
            ${totals(sheet, formats)} ${filled(sheet.notes, notes)}
          </main>
        </body>
      </html> `,
  )
}

const heading = ({ title, number, mark }: Sheet, company: Letterhead): Html =>
  html`<header>
    <div class="company">
      ${filled(company.companyName, (text) => html`<p class="name">${text}</p>`)}
      ${filled(company.companyAddress, (text) => html`<p class="address">${text}</p>`)}
      ${filled(company.companyTaxId, (text) => html`<p>Tax ID ${text}</p>`)}
    </div>
    <div class="title">
      <h1>${title}</h1>
      <p class="number">${number ?? "No number yet"}</p>
      ${mark && html`<p class="mark ${mark}">${mark}</p>`}
    </div>
  </header>`

/** The customer, and the dates and facts of the document. */
const about = (sheet: Sheet, formats: Formats): Html =>
  html`<section class="about">
    <div class="customer">
      <h2>Customer</h2>
      <p class="name">${sheet.customer.name}</p>
      ${filled(addressLines(sheet.customer.address, formats), (text) => html`<p class="address">${text}</p>`)}
      ${filled(sheet.customer.taxId, (text) => html`<p>Tax ID ${text}</p>`)}
    </div>
    <dl>${factRows(sheet, formats)}</dl>
  </section>`

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

/** The columns for discount and tax are shown only when a line has one. */
function lineTable({ lines, currency }: Sheet, formats: Formats): Html {
  const hasDiscount = lines.some(({ discount }) => discount > 0)
  const hasTax = lines.some(({ taxRate }) => taxRate > 0)
  const cell = (label: string, value: Html | string) =>
    html`<td class="figure" data-label="${label}">${value}</td>`
  const row = (line: SheetLine) =>
    html`<tr>
      <td class="code" data-label="Code">${line.itemCode}</td>
      <td class="item" data-label="Item">${line.itemName}</td>
      ${cell("Quantity", html`${formats.quantity(line.quantity)} <span class="unit">${line.uom}</span>`)}
      ${cell("Rate", formats.rate(line.rate))}
      ${hasDiscount ? cell("Discount", line.discount > 0 ? formats.percent(line.discount) : "") : null}
      ${hasTax ? cell("Tax rate", formats.percent(line.taxRate)) : null}
      ${cell("Amount", formats.amount(line.amount))}
    </tr> `
  return html`<table class="lines">
    <thead>
      <tr>
        <th scope="col">Code</th>
        <th scope="col">Item</th>
        <th scope="col" class="figure">Quantity</th>
        <th scope="col" class="figure">Rate</th>
        ${hasDiscount ? html`<th scope="col" class="figure">Discount</th>` : null}
        ${hasTax ? html`<th scope="col" class="figure">Tax rate</th>` : null}
        <th scope="col" class="figure">Amount <span class="unit">${currency}</span></th>
      </tr>
    </thead>
    <tbody>
      ${lines.map(row)}
    </tbody>
  </table>`
}

function totals({ subtotal, discountTotal, taxes, total, payment }: Sheet, formats: Formats): Html {
  const row = (label: string, amount: number, kind = "") =>
    html`<tr class="${kind}">
      <th scope="row">${label}</th>
      <td class="figure">${formats.money(amount)}</td>
    </tr> `
  const isTaxed = taxes.some(({ rate }) => rate > 0)
  const taxRows = isTaxed
    ? taxes.map(({ rate, base, amount }) =>
        row(`Tax ${formats.percent(rate)} on ${formats.money(base)}`, amount),
      )
    : [row("Tax", 0)]
  return html`<table class="totals">
    <tbody>
      ${discountTotal > 0 ? [row("Before discount", subtotal + discountTotal), row("Discount", -discountTotal)] : null}
      ${row("Subtotal", subtotal)} ${taxRows} ${row("Total", total, "total")}
      ${payment && [row("Paid", payment.paid), row("Balance due", payment.balance, "balance")]}
    </tbody>
  </table>`
}

/** Countries that write the city before the ZIP code, on one line with the state. */
const townFirst = ["US", "CA", "AU"]

function addressLines(address: Address | null, formats: Formats): string {
  const { street, city, state, zipCode, country } = address ?? {}
  const joined = (parts: (string | null | undefined)[], by: string) => parts.filter(Boolean).join(by)
  const town = townFirst.includes(country ?? "")
    ? [joined([city, joined([state, zipCode], " ")], ", ")]
    : [joined([zipCode, city], " "), state === city ? null : state]
  return joined([street, ...town, country && formats.country(country)], "\n")
}

const filled = (text: string | null, write: (text: string) => Html): Html | null =>
  text ? write(text) : null
