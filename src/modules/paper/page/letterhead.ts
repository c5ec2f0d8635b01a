import { html, type Html } from "../../../lib/html"
import type { Seller } from "../../documents/parties"
import type { Logo } from "../../settings/store"
import { addressLines } from "../addresses"
import { inGroups, type Worded } from "../shown"

/** Writes a text, if there is one. */
export const filled = (text: string | null, write: (text: string) => Html): Html | null =>
  text ? write(text) : null

/** The company at the top of the page: logo, name, address and tax numbers. */
export const companyBlock = ({ paper: { seller }, texts, formats }: Worded, logo: Logo | null): Html =>
  html`<div class="company">
    ${logo && html`<img class="logo" alt="${seller.legalName ?? "Logo"}" src="${dataOf(logo)}" />`}
    ${filled(seller.legalName, (text) => html`<p class="name">${text}</p>`)}
    ${filled(addressLines(seller.address, formats), (text) => html`<p class="address">${text}</p>`)}
    ${filled(seller.vatId, (text) => html`<p>${texts.vatId} ${text}</p>`)}
    ${filled(seller.taxNumber, (text) => html`<p>${texts.taxNumber} ${text}</p>`)}
  </div>`

/** The page loads nothing, so the image is in the page. */
const dataOf = ({ type, bytes }: Logo): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`

/** The company at the end of the page: how to reach it, where to pay, and its own text. */
export function companyFooter(seller: Seller): Html | null {
  const { email, phone, website, registrationId, bankName, iban, bic, documentFooter } = seller
  const contact = lines([phone, email, website, registrationId])
  const bank = lines([bankName, iban && `IBAN ${inGroups(iban)}`, bic && `BIC ${bic}`])
  if (!contact && !bank && !documentFooter) return null
  return html`<footer>
    ${contact && bank ? html`<div class="columns">${contact} ${bank}</div>` : (contact ?? bank)}
    ${filled(documentFooter, (text) => html`<p class="own">${text}</p>`)}
  </footer>`
}

function lines(texts: (string | null)[]): Html | null {
  const given = texts.filter((text) => text !== null)
  return given.length > 0 ? html`<div>${given.map((text) => html`<p>${text}</p>`)}</div>` : null
}
