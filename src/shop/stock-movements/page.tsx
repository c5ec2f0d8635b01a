import { NotFound } from "../../console/parts/page"
import StockCount from "./page/count/page"
import Ledger from "./page/ledger"

export { default as List } from "./page/on-hand"

const pages: Record<string, () => React.ReactNode> = { ledger: Ledger, count: StockCount }

/** A movement has no page of its own. These are the other pages of the stock. */
export function Record({ id }: { id: string }) {
  const Page = pages[id] ?? NotFound
  return <Page />
}
