import backup from "../../../../docs/guide/backup.md" with { type: "file" }
import company from "../../../../docs/guide/company.md" with { type: "file" }
import consolePage from "../../../../docs/guide/console.md" with { type: "file" }
import creditNotes from "../../../../docs/guide/credit-notes.md" with { type: "file" }
import data from "../../../../docs/guide/data.md" with { type: "file" }
import eInvoices from "../../../../docs/guide/e-invoices.md" with { type: "file" }
import errors from "../../../../docs/guide/errors.md" with { type: "file" }
import events from "../../../../docs/guide/events.md" with { type: "file" }
import firstCall from "../../../../docs/guide/first-call.md" with { type: "file" }
import keepInSync from "../../../../docs/guide/keep-in-sync.md" with { type: "file" }
import keysAndOauth from "../../../../docs/guide/keys-and-oauth.md" with { type: "file" }
import limits from "../../../../docs/guide/limits.md" with { type: "file" }
import lists from "../../../../docs/guide/lists.md" with { type: "file" }
import ordersToPayment from "../../../../docs/guide/orders-to-payment.md" with { type: "file" }
import postgresql from "../../../../docs/guide/postgresql.md" with { type: "file" }
import tax from "../../../../docs/guide/tax.md" with { type: "file" }
import webhooks from "../../../../docs/guide/webhooks.md" with { type: "file" }
import type { OpenApiDocument } from "./openapi"
import { withSamples } from "./samples"
import { tagGroups, tagsByName } from "./tags"

/** The pages of the guide in reading order. Each begins with its title. */
const pages: Record<string, string> = {
  "first-call.md": firstCall,
  "lists.md": lists,
  "orders-to-payment.md": ordersToPayment,
  "credit-notes.md": creditNotes,
  "tax.md": tax,
  "company.md": company,
  "e-invoices.md": eInvoices,
  "keys-and-oauth.md": keysAndOauth,
  "keep-in-sync.md": keepInSync,
  "events.md": events,
  "webhooks.md": webhooks,
  "data.md": data,
  "console.md": consolePage,
  "limits.md": limits,
  "errors.md": errors,
  "backup.md": backup,
  "postgresql.md": postgresql,
}

/** The address in the samples of the guide. */
const sampleUrl = "http://127.0.0.1:7070"

/**
 * Returns the API document as /docs shows it. Its description is the guide, because Scalar shows the headings of the
 * description in its sidebar and its search. /openapi.json, which generators read, does not contain the guide.
 */
export async function guidedDocument(document: OpenApiDocument, url: string) {
  const { title, version } = document.info
  const texts = await Promise.all(Object.values(pages).map((path) => Bun.file(path).text()))
  return {
    ...document,
    info: { title, version, description: guideOf(texts).replaceAll(sampleUrl, url) },
    // The address of the page. The public URL may be another, and the page may send requests only to its own.
    servers: [{ url: "/", description: "This Kontor" }],
    externalDocs: { url: "/openapi.json", description: "The API document, for generators" },
    tags: document.tags.map((tag) => ({ ...tag, "x-displayName": tagsByName[tag.name]?.title ?? tag.name })),
    "x-tagGroups": Object.entries(tagGroups).map(([name, tags]) => ({ name, tags: Object.keys(tags) })),
    paths: withSamples(document.paths),
  }
}

/** A picture, which has a line of its own. */
const picture = /^!\[[^\]]*\]\([^)]*\)\n\n?/gm

/**
 * Joins the pages to one text. Links between pages become links in the text; links to other files become plain text.
 * Pictures are left out, because the executable does not contain them.
 */
function guideOf(texts: readonly string[]): string {
  const names = Object.keys(pages)
  const slugs = new Map(texts.map((text, i) => [names[i], slugOf(text)]))
  const linked = (_: string, words: string, file: string, anchor?: string) => {
    const slug = slugs.get(file)
    return slug === undefined ? words : `[${words}](#description/${anchor?.slice(1) ?? slug})`
  }
  return texts
    .map((text) =>
      text
        .trim()
        .replaceAll(picture, "")
        .replaceAll(/\[([^\]]+)\]\((?!https?:)([^)#]+)(#[^)]+)?\)/g, linked),
    )
    .join("\n\n")
}

/** Returns the anchor of a page's title, in the format of GitHub and Scalar. */
function slugOf(text: string): string {
  const [, title = ""] = /^# (.+)$/m.exec(text) ?? []
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")
}
