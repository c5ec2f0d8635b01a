import { Button, Text } from "@mantine/core"
import { Link } from "wouter"
import { Page } from "./page"

export const NothingHere = () => (
  <Page title="Nothing here">
    <Text mb="md">There is no such page, or the record has been deleted.</Text>
    <Button component={Link} href="/">
      Go to the dashboard
    </Button>
  </Page>
)
