import { asIs, html, toText, type Html } from "../../../core/lib/html"
import base from "../../../office/oauth/consent/pages.css" with { type: "text" }
import type { Language } from "../../../shared/languages"
import type { PaperLine } from "../../../trade/paper/model"
import { amountOf, discountOf, factsOf, remarksOf, sumsOf, type Worded } from "../../../trade/paper/shown"
import type { Quotation } from "../model"
import own from "./page.css" with { type: "text" }
import { pageWords } from "./words"

// Not part of the templates, because a formatter may change their whitespace, and the digest covers all of it.
const style = `${base}${own}`
const styleElement = asIs(`<style>${style}</style>`)
const styleDigest = new Bun.CryptoHasher("sha256").update(style).digest("base64")

/** No script, and nothing from elsewhere. A form is sent only to this server. */
const policy = `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** What is told above the quotation, and what the person has typed. */
export type Told = { notice?: "isChanged"; problem?: "nameMissing" | "tooLong"; name?: string }

export type Shown = {
  quotation: Quotation
  worded: Worded
  /** The SHA-256 of the PDF of this revision. */
  sha256: string
  /** The address of the PDF. */
  pdf: string
}

/** The page of a quotation: what is offered, and how to answer. */
export function quotationPage(shown: Shown, told: Told = {}): Html {
  const { worded, quotation } = shown
  const { paper } = worded
  const words = pageWords[paper.language]
  const company = paper.seller.legalName ?? ""
  const title = `${paper.title} ${paper.number ?? ""}`
  return page(
    paper.language,
    title,
    html`<p class="brand">${company}</p>
      <section>
        <h1>${title}</h1>
        ${told.notice ? html`<p class="problem" role="alert">${words[told.notice]}</p>` : null}
        ${stateOf(shown)}
        <dl>
          ${factsOf(worded).map(
            ([label, value]) =>
              html`<dt>${label}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
        ${linesOf(worded)} ${remarksOf(worded).map((remark) => html`<p class="lesser">${remark}</p>`)}
        ${[{ heading: worded.texts.notes, text: paper.notes }, ...paper.ownTexts].map(({ heading, text }) =>
          text
            ? html`<h2>${heading}</h2>
                <p class="text">${text}</p>`
            : html``,
        )}
        <p><a class="pdf" href="${shown.pdf}">${words.pdf}</a></p>
        <p class="hash">${words.fingerprint}: ${shown.sha256}</p>
        ${quotation.status === "sent" && !quotation.isExpired ? formsOf(shown, told) : null}
        ${contactOf(shown)}
      </section>`,
  )
}

/** What has become of it, if it cannot be answered any more. */
function stateOf({ quotation, worded: { paper, formats } }: Shown): Html {
  const words = pageWords[paper.language]
  const { status, acceptedAt, acceptedBy, declinedAt, validUntil, isExpired } = quotation
  const day = (at: string | null) => formats.date(at ?? paper.date)
  const said =
    status === "accepted"
      ? words.isAccepted(acceptedBy, day(acceptedAt))
      : status === "declined"
        ? words.isDeclined(day(declinedAt))
        : status === "withdrawn"
          ? words.isWithdrawn(paper.seller.legalName ?? "")
          : isExpired
            ? words.isExpired(day(validUntil))
            : null
  return said === null ? html`` : html`<p class="said" role="status">${said}</p>`
}

function linesOf(worded: Worded): Html {
  const { paper, formats } = worded
  return html`<table>
    ${paper.lines.map(
      (line) =>
        html`<tr>
          <td>
            ${line.itemName ?? line.description}<small
              >${formats.quantity(line.quantity)} ${line.uom} ×
              ${formats.rate(line.rate)}${lessOf(line, worded)}</small
            >
          </td>
          <td>${formats.money(amountOf(line, paper))}</td>
        </tr>`,
    )}
    ${sumsOf(worded).map(
      ({ label, amount, isTotal }) =>
        html`<tr class="${isTotal ? "total" : ""}">
          <td>${label}</td>
          <td>${formats.money(amount)}</td>
        </tr>`,
    )}
  </table>`
}

/** The discount of a line, if it has one. */
function lessOf(line: PaperLine, { formats, texts }: Worded): string {
  const discount = discountOf(line, formats)
  return discount === "" ? "" : ` · ${texts.discount} ${discount}`
}

/** An answer is bound to the revision and the PDF that the page has shown. */
function formsOf({ quotation: { revision }, sha256, worded: { paper } }: Shown, told: Told): Html {
  const words = pageWords[paper.language]
  const seen = html`<input type="hidden" name="revision" value="${revision}" /><input
      type="hidden"
      name="sha256"
      value="${sha256}"
    />`
  return html`<h2>${words.accept}</h2>
    <p>${words.acceptText}</p>
    <form method="post">
      ${seen} ${told.problem ? html`<p class="problem" role="alert">${words[told.problem]}</p>` : null}
      <label
        >${words.yourName}<input
          name="name"
          autocomplete="name"
          required
          maxlength="200"
          value="${told.name ?? ""}"
      /></label>
      <button type="submit" name="answer" value="accept">${words.acceptButton}</button>
    </form>
    <details>
      <summary>${words.decline}</summary>
      <form method="post">
        ${seen}
        <p>${words.declineText}</p>
        <label>${words.reason}<textarea name="reason" rows="3" maxlength="500"></textarea></label>
        <button type="submit" class="plain" name="answer" value="decline">${words.declineButton}</button>
      </form>
    </details>`
}

function contactOf({ worded: { paper } }: Shown): Html {
  const { email, phone } = paper.seller
  if (!email && !phone) return html``
  const mail = email ? html`<a href="mailto:${email}">${email}</a> ` : html``
  const call = phone ? html`<a href="tel:${phone.replace(/[^+\d]/g, "")}">${phone}</a>` : html``
  return html`<p>${pageWords[paper.language].questions} ${mail}${call}</p>`
}

/** Why a page cannot be shown. */
export type Fault = "gone" | "tooMany" | "busy" | "foreign"

export function faultPage(language: Language, fault: Fault): Html {
  const words = pageWords[language]
  return page(
    language,
    words[fault],
    html`<section>
      <h1>${words[fault]}</h1>
      <p>${words[`${fault}Text`]}</p>
    </section>`,
  )
}

const page = (language: Language, title: string, body: Html): Html =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`

/** What all answers of the page have: nobody lists them, nothing keeps them, and no other site learns the address. */
export const pageHeaders = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
  // With it a browser sends its origin with a form, and other sites get no address.
  "referrer-policy": "same-origin",
}

export const pageResponse = (body: Html, status: number, more: Record<string, string> = {}): Response =>
  new Response(toText(body), {
    status,
    headers: {
      ...pageHeaders,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-frame-options": "DENY",
      ...more,
    },
  })
