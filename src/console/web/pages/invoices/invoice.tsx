import { Page } from "../../parts/page"

export default function InvoicePage({ id: _ }: { id: string }) {
  return <Page title="InvoicePage">Soon.</Page>
}
