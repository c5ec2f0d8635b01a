import { Page } from "../../parts/page"

export default function Account() {
  return <Page title="Account">Soon.</Page>
}
