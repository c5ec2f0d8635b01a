import { Glob } from "bun"
import { createInstance } from "i18next"
import de from "../../src/console/texts/de"
import en from "../../src/console/texts/en"
import { kindTexts, ownNames } from "../../src/console/texts/kinds"
import { t as apiKeys } from "../../src/office/api-keys/page/texts"
import { t as backups } from "../../src/office/backups/page/texts"
import { t as imports } from "../../src/office/imports/page/texts"
import { t as undoImport } from "../../src/office/imports/page/undo/texts"
import { t as mailServer } from "../../src/office/mail/page/server/texts"
import { t as users } from "../../src/office/users/page/texts"
import { t as creditNotes } from "../../src/shop/credit-notes/page/texts"
import { t as customers } from "../../src/shop/customers/texts"
import { t as deposits } from "../../src/shop/invoices/deposits/page/texts"
import { t as invoices } from "../../src/shop/invoices/page/texts"
import { t as items } from "../../src/shop/items/texts"
import { t as payments } from "../../src/shop/payments/page/texts"
import { t as quotations } from "../../src/shop/quotations/page/texts"
import { t as deliveries } from "../../src/shop/deliveries/page/texts"
import { t as recurring } from "../../src/shop/recurring-invoices/page/texts"
import { t as reminders } from "../../src/shop/reminders/page/texts"
import { t as dashboard } from "../../src/shop/reports/page/texts"
import { t as orders } from "../../src/shop/sales-orders/page/texts"
import { t as setUp } from "../../src/shop/set-up/page/texts"
import { t as stock } from "../../src/shop/stock-movements/page/texts"
import { t as company } from "../../src/trade/company/page/texts"
import { t as mail } from "../../src/trade/page/mail/texts"
import { t as trade } from "../../src/trade/page/texts"
import { t as timeline } from "../../src/trade/page/timeline-texts"

export type Language = "en" | "de"

const folders = {
  apiKeys,
  backups,
  creditNotes,
  customers,
  imports,
  mail,
  mailServer,
  undoImport,
  deposits,
  invoices,
  items,
  payments,
  dashboard,
  quotations,
  deliveries,
  recurring,
  reminders,
  orders,
  setUp,
  company,
  timeline,
  users,
}

const inFolders = (language: Language) =>
  Object.fromEntries(Object.entries(folders).map(([name, { texts }]) => [name, texts[language]])) as {
    [K in keyof typeof folders]: (typeof folders)[K]["texts"]["en"]
  }

const frameIn = (language: Language) => (language === "en" ? en : (de as unknown as typeof en))

/** The statuses of the frame and of the kinds. */
const statusesIn = (language: Language): Record<string, string> => ({
  ...frameIn(language).values.status,
  ...ownNames(language).values.status,
})

const treeIn = (language: Language) => ({
  ...frameIn(language),
  values: { ...frameIn(language).values, status: statusesIn(language) },
  kinds: kindTexts(language),
  ...trade.texts[language],
  ...stock.texts[language],
  ...inFolders(language),
})

/** Returns the function with which a person of a test knows the texts of a language: `t(($) => $.common.save)`. */
export async function textsIn(language: Language) {
  const texts = createInstance()
  const resources = { [language]: { translation: treeIn(language) } }
  await texts.init({ lng: language, resources, fallbackLng: false, interpolation: { escapeValue: false } })
  return (choose: ($: ReturnType<typeof treeIn>) => string, values?: Record<string, unknown>): string =>
    texts.t(choose as never, values)
}

type Tree = { readonly [name: string]: string | Tree }

/** All texts of a language: those of the frame, and those of each folder by its path. */
export async function allTexts(language: Language): Promise<Tree> {
  const all: Record<string, Tree> = {
    frame: frameIn(language),
    kinds: kindTexts(language),
    ownNames: ownNames(language),
  }
  const files = ["texts.ts", "page/**/*-texts.ts"].flatMap((name) => [
    ...new Glob(`src/{office,trade,shop}/**/${name}`).scanSync(),
  ])
  for (const file of files) {
    const { t } = await import(`../../${file}`)
    all[file] = t.texts[language]
  }
  return all
}
