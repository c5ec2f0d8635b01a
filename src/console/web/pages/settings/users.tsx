import { Page } from "../../parts/page"

export default function Users() {
  return <Page title="Users">Soon.</Page>
}
