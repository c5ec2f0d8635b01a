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
  /** Who can view the page: "Only admins can view this page." */
  sentence: string
  children: ReactNode
}

/** Shows a page only to users with the right. Other users see why before they fill in a form that would be refused. */
export function OnlyFor({ area, scope, title, parent, sentence, children }: Props) {
  if (useMay()(area, scope)) return children
  return (
    <Page title={title} parent={parent}>
      <Text>{sentence}</Text>
    </Page>
  )
}
