import { Text } from "@mantine/core"
import type { ReactNode } from "react"
import { useMay } from "../api/hooks"
import type { Area, Scope } from "../api/types"
import { Page } from "./page"

type Props = {
  area: Area
  scope: Scope
  title: string
  parent?: { title: string; href: string }
  /** Says who can see the page: "Only an administrator can see this page." */
  sentence: string
  children: ReactNode
}

/** Shows a page only to those who have the right. Others learn so before they type what the server would refuse. */
export function OnlyFor({ area, scope, title, parent, sentence, children }: Props) {
  if (useMay()(area, scope)) return children
  return (
    <Page title={title} parent={parent}>
      <Text>{sentence}</Text>
    </Page>
  )
}
