import { Page } from "../../parts/page"

export default function Company() {
  return <Page title="Company">Soon.</Page>
}
