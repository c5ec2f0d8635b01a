import { Page } from "../parts/page"

export default function Dashboard() {
  return <Page title="Dashboard">Soon.</Page>
}
