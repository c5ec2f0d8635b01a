import { Anchor } from "@mantine/core"
import { Link } from "wouter"
import { useRead } from "../../../console/api/hooks"
import type { Settings } from "../../../console/api/types"
import { AdminOnly, Loaded, Page } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { CompanyForm } from "./form"

export default function Company() {
  return (
    <AdminOnly title={common(($) => $.kinds.settings.title)}>
      <Existing />
    </AdminOnly>
  )
}

function Existing() {
  const query = useRead<Settings>("/settings")
  return (
    <Page
      title={common(($) => $.kinds.settings.title)}
      actions={
        <Anchor component={Link} href="/settings/audit?recordId=settings" size="sm">
          {t(($) => $.viewHistory)}
        </Anchor>
      }
    >
      <Loaded query={query}>{(settings) => <CompanyForm settings={settings} />}</Loaded>
    </Page>
  )
}
