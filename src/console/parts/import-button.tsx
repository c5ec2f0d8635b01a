import { Button } from "@mantine/core"
import { IconFileImport } from "./icons"
import { Link } from "wouter"
import type { Import } from "../../kinds"
import { useMay } from "../api/hooks"
import { t } from "../texts"

type Props = { kind: Import["kind"]; label?: string }

/** Opens the import of a kind, for users with the right. */
export function ImportButton({ kind, label = t(($) => $.parts.importLink) }: Props) {
  if (!useMay()("items", "write")) return null
  return (
    <Button
      component={Link}
      href={`/import?kind=${kind}`}
      variant="default"
      leftSection={<IconFileImport size={16} />}
    >
      {label}
    </Button>
  )
}
