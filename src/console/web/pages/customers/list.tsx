import { Page } from "../../parts/page"

export default function Customers() {
  return <Page title="Customers">Soon.</Page>
}
