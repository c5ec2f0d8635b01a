import { Page } from "../../parts/page"

export default function Orders() {
  return <Page title="Orders">Soon.</Page>
}
