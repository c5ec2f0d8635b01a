import { Page } from "../../parts/page"

export default function OrderPage({ id: _ }: { id: string }) {
  return <Page title="OrderPage">Soon.</Page>
}
