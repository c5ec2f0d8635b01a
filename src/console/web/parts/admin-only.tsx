import type { ReactNode } from "react"
import { OnlyFor } from "./only-for"

/** Asks the server for nothing that it would refuse: others are told so. */
export const AdminOnly = ({ title, children }: { title: string; children: ReactNode }) => (
  <OnlyFor
    area="administration"
    scope="admin"
    title={title}
    sentence="Only an administrator can see this page."
  >
    {children}
  </OnlyFor>
)
