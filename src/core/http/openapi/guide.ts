// The guide, which the executable contains: as one text for /docs, and page by page in Markdown.
import assistants from "../../../../docs/guide/assistants.md" with { type: "file" }
import backup from "../../../../docs/guide/backup.md" with { type: "file" }
import company from "../../../../docs/guide/company.md" with { type: "file" }
import consolePage from "../../../../docs/guide/console.md" with { type: "file" }
import creditNotes from "../../../../docs/guide/credit-notes.md" with { type: "file" }
import customers from "../../../../docs/guide/customers.md" with { type: "file" }
import data from "../../../../docs/guide/data.md" with { type: "file" }
import deliveries from "../../../../docs/guide/deliveries.md" with { type: "file" }
import deposits from "../../../../docs/guide/deposits.md" with { type: "file" }
import eInvoices from "../../../../docs/guide/e-invoices.md" with { type: "file" }
import errors from "../../../../docs/guide/errors.md" with { type: "file" }
import events from "../../../../docs/guide/events.md" with { type: "file" }
import firstCall from "../../../../docs/guide/first-call.md" with { type: "file" }
import keepInSync from "../../../../docs/guide/keep-in-sync.md" with { type: "file" }
import keysAndOauth from "../../../../docs/guide/keys-and-oauth.md" with { type: "file" }
import laden from "../../../../docs/guide/laden.md" with { type: "file" }
import limits from "../../../../docs/guide/limits.md" with { type: "file" }
import lists from "../../../../docs/guide/lists.md" with { type: "file" }
import recurringInvoices from "../../../../docs/guide/recurring-invoices.md" with { type: "file" }
import reminders from "../../../../docs/guide/reminders.md" with { type: "file" }
import mail from "../../../../docs/guide/mail.md" with { type: "file" }
import ordersToPayment from "../../../../docs/guide/orders-to-payment.md" with { type: "file" }
import postgresql from "../../../../docs/guide/postgresql.md" with { type: "file" }
import quotations from "../../../../docs/guide/quotations.md" with { type: "file" }
import sandbox from "../../../../docs/guide/sandbox.md" with { type: "file" }
import shopPage from "../../../../docs/guide/shop.md" with { type: "file" }
import signInWith from "../../../../docs/guide/sign-in-with.md" with { type: "file" }
import tax from "../../../../docs/guide/tax.md" with { type: "file" }
import webhooks from "../../../../docs/guide/webhooks.md" with { type: "file" }

/** A group of pages. Each page begins with its title. */
type Pages = Readonly<Record<string, string>>

/** The pages in reading order. page.css has the titles of the groups too. */
const groups: Readonly<Record<string, Pages>> = {
  "For shop owners": {
    "shop.md": shopPage,
    "laden.md": laden,
  },
  "For programmers": {
    "first-call.md": firstCall,
    "lists.md": lists,
    "quotations.md": quotations,
    "orders-to-payment.md": ordersToPayment,
    "deliveries.md": deliveries,
    "deposits.md": deposits,
    "customers.md": customers,
    "credit-notes.md": creditNotes,
    "tax.md": tax,
    "company.md": company,
    "e-invoices.md": eInvoices,
    "mail.md": mail,
    "reminders.md": reminders,
    "recurring-invoices.md": recurringInvoices,
    "keys-and-oauth.md": keysAndOauth,
    "sign-in-with.md": signInWith,
    "assistants.md": assistants,
    "keep-in-sync.md": keepInSync,
    "sandbox.md": sandbox,
    "events.md": events,
    "webhooks.md": webhooks,
    "data.md": data,
    "console.md": consolePage,
    "limits.md": limits,
    "errors.md": errors,
    "backup.md": backup,
    "postgresql.md": postgresql,
  },
}

const pages: Pages = Object.assign({}, ...Object.values(groups))

/** The names of the pages. */
export const guideFiles: readonly string[] = Object.keys(pages)

/** The address in the samples of the guide. */
const sampleUrl = "http://127.0.0.1:7070"

/** A picture, which has a line of its own. */
const picture = /^!\[[^\]]*\]\([^)]*\)\n\n?/gm

const link = /\[([^\]]+)\]\((?!https?:)([^)#]+)(#[^)]+)?\)/g

/** Returns the text of a page. Pictures are left out, because the executable does not contain them. */
async function textOf(file: string, url: string): Promise<string> {
  const text = await Bun.file(pages[file] ?? "").text()
  return text.trim().replaceAll(picture, "").replaceAll(sampleUrl, url)
}

/** Returns a page in Markdown. Links to files that are no pages become plain text. */
export async function guidePage(file: string, url: string): Promise<string> {
  const text = await textOf(file, url)
  const kept = text.replaceAll(link, (whole, words: string, to: string) => (to in pages ? whole : words))
  return `${kept}\n`
}

/** Joins the pages to one text. Links between pages become links in the text; links to other files become plain text. */
export async function wholeGuide(url: string): Promise<string> {
  const texts = await Promise.all(guideFiles.map((file) => textOf(file, url)))
  const slugs = new Map(texts.map((text, i) => [guideFiles[i], slugOf(titleOf(text))]))
  const linked = (_: string, words: string, file: string, anchor?: string) => {
    const slug = slugs.get(file)
    return slug === undefined ? words : `[${words}](#description/${anchor?.slice(1) ?? slug})`
  }
  return texts.map((text) => text.replaceAll(link, linked)).join("\n\n")
}

/** Returns the index of what there is to read, in the form of llmstxt.org. The sections of a page say what is in it. */
export async function llmsText(
  { title, version }: { title: string; version: string },
  url: string,
): Promise<string> {
  const pageLine = async (file: string) => {
    const text = await textOf(file, url)
    const sections = sectionsOf(text).join("; ")
    return `- [${titleOf(text)}](${url}/docs/guide/${file})${sections ? `: ${sections}` : ""}`
  }
  const parts = Object.entries(groups).map(async ([name, some]) => {
    const lines = await Promise.all(Object.keys(some).map(pageLine))
    return `## Guide: ${name[0]?.toLowerCase()}${name.slice(1)}\n\n${lines.join("\n")}`
  })
  const [owners = "", programmers = ""] = await Promise.all(parts)
  return `# ${title}

> The back office of a small business as one program: items, customers, sales orders, invoices, e-invoices, payments, stock and search, with a JSON REST API and a web console. This server has version ${version}.

The API is below ${url}/api/v1. A program sends an API key in the header X-API-Key. Every response has the form {"success", "data" or "error", "meta", "warnings"}. The guide begins with a first call, and its samples can be run in order.

## API

- [OpenAPI document](${url}/openapi.json): OpenAPI 3.1, every operation with its parameters, bodies, responses and scopes
- [Reference](${url}/docs): the guide and the OpenAPI document as a web page

${programmers}

${owners}
`
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ""

/** The titles of the sections. A line of a sample can begin like a title. */
const sectionsOf = (text: string): string[] =>
  [...text.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title)

/** Returns the anchor of a title, in the format of GitHub and Scalar. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")
