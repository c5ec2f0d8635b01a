import { useLocation } from "wouter"
import type { MoreAction } from "./more-menu"

/** The action that opens the page of a new record that is filled from this one. */
export function useDuplicate(of: "/items" | "/customers", id: string): MoreAction {
  const [, go] = useLocation()
  return { label: "Duplicate", onClick: () => go(`${of}/new?copy=${id}`) }
}
