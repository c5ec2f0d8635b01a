import { readDraft } from "../core/kind/read"
import type { Tx, Writer } from "../core/write/writer"
import { kinds } from "../kinds"
import { dateIn, later } from "../shared/dates"
import type { Quotation } from "../shop/quotations/model"
import { proving } from "../shop/quotations/routes"
import type { Trading } from "./sales"
import type { Shop } from "./shop"

/** What becomes of an offer: it is made so many orders before the end. */
type Offer = {
  before: number
  outcome: "accepted" | "ordered" | "declined" | "withdrawn" | "expired" | "revised" | "sent" | "draft"
}

const offers: readonly Offer[] = [
  { before: 46, outcome: "ordered" },
  { before: 40, outcome: "declined" },
  { before: 34, outcome: "expired" },
  { before: 26, outcome: "withdrawn" },
  { before: 20, outcome: "accepted" },
  { before: 14, outcome: "revised" },
  { before: 7, outcome: "sent" },
  { before: 3, outcome: "draft" },
]

const day = 86_400_000
/** How long an offer stands, in days. The expired one is from weeks ago. */
const validity = { usual: 30, short: 10 }

/** Writes the offer of this moment, if there is one, and what has become of it. */
export async function writeOffer(shop: Shop, write: Writer, trading: Trading, before: number): Promise<void> {
  const i = offers.findIndex((each) => each.before === before)
  const offer = offers[i]
  if (!offer) return
  const { outcome } = offer
  const { id } = await write((tx) => createOffer(shop, tx, trading, i, outcome))
  if (outcome === "accepted" || outcome === "ordered") await accept(shop, write, id, outcome === "ordered")
  else await write((tx) => settle(shop, tx, id, outcome))
}

function createOffer(
  { quotations, caller }: Shop,
  tx: Tx,
  { items, customers }: Trading,
  i: number,
  outcome: Offer["outcome"],
): Quotation {
  const customer = customers[(i * 7 + 2) % customers.length]
  const days = outcome === "expired" ? validity.short : validity.usual
  const draft = {
    customer: customer?.id,
    quotationDate: dateIn("UTC", tx.now),
    validUntil: dateIn("UTC", later(tx.now, days * day)),
    terms: "Delivery within three weeks. Prices are valid for the whole quantity.",
    items: [3, 11, 26].slice(0, 1 + (i % 3)).map((n) => ({
      item: items[(i * 13 + n) % items.length]?.id,
      quantity: 2 + ((i + n) % 6),
    })),
    ...(i % 3 === 1 ? { discount: 5 } : {}),
    status: outcome === "draft" ? "draft" : "sent",
  }
  return quotations.create(tx, readDraft(kinds.quotations, draft), caller)
}

function settle({ quotations, caller }: Shop, tx: Tx, id: string, outcome: Offer["outcome"]): void {
  const end = (status: "declined" | "withdrawn", reason: string) =>
    quotations.changeStatus(tx, id, { status, reason, override: false, caller })
  if (outcome === "declined") end("declined", "Another supplier was cheaper.")
  if (outcome === "withdrawn") end("withdrawn", "The item is no longer made.")
  if (outcome === "revised") quotations.update(tx, id, { discount: 7.5 }, null, caller)
}

/** The customer accepts on the public page. */
async function accept(shop: Shop, write: Writer, id: string, isOrdered: boolean): Promise<void> {
  const asker = { share: "demo", signal: new AbortController().signal, write }
  const proof = await proving(shop)(asker, id)
  await write((tx) => {
    const name = shop.customers.get(shop.quotations.get(id).customer).contactName ?? "Jonas Weber"
    shop.quotations.answer(tx, id, { isAccepted: true, name, ip: "192.0.2.17", proof })
    if (isOrdered) shop.quotations.order(tx, id, proof, shop.caller)
  })
}
