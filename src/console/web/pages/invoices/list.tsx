import { Page } from "../../parts/page"

export default function Invoices() {
  return <Page title="Invoices">Soon.</Page>
}
