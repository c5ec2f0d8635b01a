import { Page } from "../../parts/page"

export default function Stock() {
  return <Page title="Stock">Soon.</Page>
}
