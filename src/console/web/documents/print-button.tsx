import { Button } from "@mantine/core"
import { IconPrinter } from "@tabler/icons-react"
import { Link } from "wouter"
import { t } from "../texts"

type Props = {
  /** The path of the document's page. */
  of: string
  isDisabled?: boolean
}

export const PrintButton = ({ of, isDisabled }: Props) => (
  <Button
    component={Link}
    href={`${of}/print`}
    variant="default"
    disabled={isDisabled}
    leftSection={<IconPrinter size={16} />}
  >
    {t(($) => $.documents.print)}
  </Button>
)
