import { Fragment, useState, type ReactNode } from "react"
import { useSearchParams } from "wouter"
import { useRecord } from "../api/hooks"
import type { ActiveKind, Kinds } from "../api/types"
import { Page } from "./page"

type Props<K extends ActiveKind> = {
  kind: K
  title: string
  parent: { title: string; href: string }
  /** Shows the form. `copied` is the record to duplicate, and `startAgain` replaces the form with an empty one. */
  children: (copied: Kinds[K] | null, startAgain: () => void) => ReactNode
}

/** The page of a new record. Its form is filled from the record that the URL names, if it names one: `?copy={id}`. */
export function NewRecord<K extends ActiveKind>({ kind, title, parent, children }: Props<K>) {
  const [params] = useSearchParams()
  const [count, setCount] = useState(0)
  const wanted = count === 0 ? params.get("copy") : null
  const copied = useRecord(kind, wanted)
  return (
    <Page title={title} parent={parent}>
      {/* If the record is not found, the form is empty. This needs no error. */}
      {(!wanted || !copied.isPending) && (
        <Fragment key={`${count} ${wanted}`}>
          {children((wanted && copied.data) || null, () => setCount((before) => before + 1))}
        </Fragment>
      )}
    </Page>
  )
}
