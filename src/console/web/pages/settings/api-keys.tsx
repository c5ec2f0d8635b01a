import { Page } from "../../parts/page"

export default function ApiKeys() {
  return <Page title="ApiKeys">Soon.</Page>
}
