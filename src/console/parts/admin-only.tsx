import type { ReactNode } from "react"
import { t } from "../texts"
import { OnlyFor } from "./only-for"

/** Shows a page only to admins, so that other users send no requests that the server would refuse. */
export const AdminOnly = ({ title, children }: { title: string; children: ReactNode }) => (
  <OnlyFor area="administration" scope="admin" title={title} sentence={t(($) => $.parts.adminOnly)}>
    {children}
  </OnlyFor>
)
