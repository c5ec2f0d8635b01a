import type { ReactNode } from "react"
import { useSearchParams } from "wouter"
import { useRecord } from "../api/hooks"
import type { Customer } from "../api/types"
import { Page } from "../parts/page"

type Props = {
  title: string
  parent: { title: string; href: string }
  children: (customer: Customer | undefined) => ReactNode
}

/** The page of a new document, which is for the customer that the address names. */
export function NewDocument({ title, parent, children }: Props) {
  const [params] = useSearchParams()
  const wanted = params.get("customer")
  const customer = useRecord("customers", wanted)
  return (
    <Page title={title} parent={parent}>
      {/* A customer who cannot be found is not worth an error: the picker is empty then. */}
      {(!wanted || !customer.isPending) && children(customer.data)}
    </Page>
  )
}
