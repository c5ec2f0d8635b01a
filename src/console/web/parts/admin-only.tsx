import type { ReactNode } from "react"
import { OnlyFor } from "./only-for"

/** Shows a page only to administrators, so that others send no request that the server would refuse. */
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
