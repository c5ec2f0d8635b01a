import { Button, Text } from "@mantine/core"
import { Link } from "wouter"
import { Page } from "./page"

export const NotFound = () => (
  <Page title="Page not found">
    <Text mb="md">This page does not exist, or the record was deleted.</Text>
    <Button component={Link} href="/">
      Go to dashboard
    </Button>
  </Page>
)
