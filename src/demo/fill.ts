import type { Database } from "../core/engine/engine"
import { readDraft } from "../core/kind/read"
import { beforeCommit } from "../core/write/commit"
import { groupWriter, type Writer } from "../core/write/writer"
import { kinds } from "../kinds"
import type { Services } from "../services"
import { later } from "../shared/dates"
import { orderTimes } from "./calendar"
import { correct } from "./corrections"
import { sendInvoices } from "./mail"
import { writeOffer } from "./offers"
import { type DemoAccess, makeOwner } from "./owner"
import { seeded } from "./random"
import {
  createOrder,
  openStock,
  remindLate,
  restock,
  takePayments,
  type Trading,
  writeContracts,
} from "./sales"
import { createItem, createTaxCodes, customerOf, goodsOf, type Shop } from "./shop"
import type { DemoWorld } from "./world"

const customerCount = 64
const orderCount = 360
const days = 730
/** The number of orders after which something is corrected: goods come back, or somebody pays in another way. */
const betweenCorrections = 16

/**
 * Fills a demo shop with two years of data, through the same services as all other writes. The data depends on the seed
 * and on the time at which it ends.
 */
export async function fillWithDemo(
  db: Database,
  services: Services,
  { seed, clock }: Pick<DemoWorld, "seed" | "clock">,
): Promise<DemoAccess> {
  const random = seeded(seed)
  const end = clock.now()
  const times = orderTimes(random, { now: later(end, -12 * 3_600_000), days, count: orderCount })
  clock.moveTo(later(end, -(days + 5) * 86_400_000))
  const write: Writer = groupWriter(db, clock.now, beforeCommit(db))
  const { access, caller } = await makeOwner(services, write)
  const shop: Shop = { ...services, random, caller }
  const trading = await openShop(shop, write)
  let month = ""
  for (const [i, time] of times.entries()) {
    clock.moveTo(time)
    await write((tx) => {
      const isFirstOfMonth = time.slice(0, 7) !== month
      month = time.slice(0, 7)
      if (isFirstOfMonth) restock(shop, tx, trading)
      takePayments(shop, tx, trading)
      if (isFirstOfMonth) remindLate(shop, tx, trading)
      createOrder(shop, tx, trading, { i, share: i / times.length })
      if (i % betweenCorrections === betweenCorrections - 1)
        correct(shop, tx, Math.floor(i / betweenCorrections), trading.sales)
    })
    await writeOffer(shop, write, trading, times.length - i)
  }
  clock.moveTo(end)
  const last = trading.sales.map(({ invoice }) => invoice).slice(-20)
  await write((tx) => {
    takePayments(shop, tx, trading)
    sendInvoices(services, tx, last, caller)
    writeContracts(shop, tx, trading)
  })
  return access
}

/** Creates what is sold and who buys it. */
async function openShop(shop: Shop, write: Writer): Promise<Trading> {
  const { random, customers: service, caller } = shop
  const codes = await write((tx) => createTaxCodes(shop, tx))
  const items = await write((tx) => [...goodsOf(random, codes)].map((item) => createItem(shop, tx, item)))
  const customers = await write((tx) =>
    Array.from({ length: customerCount }, (_, i) =>
      service.create(tx, readDraft(kinds.customers, customerOf(random, i)), caller),
    ),
  )
  const trading: Trading = { items, customers, left: new Map(), sales: [], expected: [] }
  await write((tx) => openStock(shop, tx, trading))
  return trading
}
