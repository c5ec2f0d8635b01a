import { Button } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { Link } from "wouter"

/** Opens the page of a new record that is filled from this one. */
export const DuplicateButton = ({ of, id }: { of: "/items" | "/customers"; id: string }) => (
  <Button
    component={Link}
    href={`${of}/new?copy=${id}`}
    variant="default"
    leftSection={<IconCopy size={16} />}
  >
    Duplicate
  </Button>
)
