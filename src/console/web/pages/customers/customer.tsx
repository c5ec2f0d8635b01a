import { Page } from "../../parts/page"

export default function CustomerPage({ id: _ }: { id: string }) {
  return <Page title="CustomerPage">Soon.</Page>
}
