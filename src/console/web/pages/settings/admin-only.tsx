import { Text } from "@mantine/core"
import type { ReactNode } from "react"
import { useMay } from "../../api/hooks"
import { Page } from "../../parts/page"

/** Asks the server for nothing that it would refuse: others are told so. */
export function AdminOnly({ title, children }: { title: string; children: ReactNode }) {
  if (useMay()("administration", "admin")) return children
  return (
    <Page title={title}>
      <Text>Only an administrator can see this page.</Text>
    </Page>
  )
}
