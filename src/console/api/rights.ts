import { kinds } from "../kinds"
import { useMe } from "./hooks"
import type { Kind } from "./types"

/** Checks whether the user may write records of a kind. */
export function useMayWrite(): (kind: Kind) => boolean {
  const { rights, role } = useMe()
  return (kind) => {
    const { right, writers } = kinds[kind]
    return rights[right.area].includes("write") && (writers?.includes(role) ?? true)
  }
}
