import { Button, Text } from "@mantine/core"
import { Link } from "wouter"
import { t } from "../texts"
import { Page } from "./page"

export const NotFound = () => (
  <Page title={t(($) => $.parts.notFound)}>
    <Text mb="md">{t(($) => $.parts.notFoundText)}</Text>
    <Button component={Link} href="/">
      {t(($) => $.parts.goToDashboard)}
    </Button>
  </Page>
)
