import { Page } from "../parts/page"

export default function Print({ kind: _, id: __ }: { kind: "sales-orders" | "invoices"; id: string }) {
  return <Page title="Print">Soon.</Page>
}
