import { useLocation } from "wouter"
import { t } from "../texts"
import type { MoreAction } from "./more-menu"

/** The action that opens the page of a new record that is filled from this one. */
export function useDuplicate(path: string, id: string): MoreAction {
  const [, go] = useLocation()
  return { label: t(($) => $.parts.duplicate), onClick: () => go(`${path}/new?copy=${id}`) }
}
