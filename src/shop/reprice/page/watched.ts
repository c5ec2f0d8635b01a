import { useSyncExternalStore } from "react"
import { useMe } from "../../../console/api/hooks"

/** Each user of a tab has their own jobs. */
const keyOf = (user: string) => `kontor.price-jobs.${user}`

const listeners = new Set<() => void>()

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

const idsIn = (text: string | null): string[] => (text ? text.split(" ") : [])

function change(user: string, changed: (ids: string[]) => string[]): void {
  const key = keyOf(user)
  sessionStorage.setItem(key, changed(idsIn(sessionStorage.getItem(key))).join(" "))
  for (const tell of listeners) tell()
}

/**
 * The jobs that the user has started in this tab and whose results are not dismissed yet. The session storage keeps
 * their ids, so that they are shown after a reload too.
 */
export function useWatchedJobs() {
  const { id: user } = useMe()
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(keyOf(user)))
  return {
    ids: idsIn(text),
    watch: (id: string) => change(user, (ids) => [...ids, id]),
    forget: (id: string) => change(user, (ids) => ids.filter((each) => each !== id)),
  }
}
