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
  /** Who can, for those who cannot: "Only an administrator can see this page." */
  sentence: string
  children: ReactNode
}

/** A page for those who have a right. Others are told so, before they type what the server would refuse. */
export function OnlyFor({ area, scope, title, parent, sentence, children }: Props) {
  if (useMay()(area, scope)) return children
  return (
    <Page title={title} parent={parent}>
      <Text>{sentence}</Text>
    </Page>
  )
}
