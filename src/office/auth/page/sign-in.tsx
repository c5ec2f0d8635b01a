import { Box, Button, Center, Paper, Stack, Text, Title } from "@mantine/core"
import { useEffect, useState } from "react"
import { Brand } from "../../../console/shell/brand"
import { SignInWith, useOffers } from "../../../console/shell/providers"
import { SetupHelp, SignInForm } from "../../../console/shell/sign-in-form"
import { split } from "../../../console/shell/split"
import { t } from "../../../console/texts"

const Forgotten = split(async () => ({ default: (await import("./reset")).Forgotten }), 160)

export default function SignIn() {
  useEffect(() => void (document.title = t(($) => $.account.signInTitle)), [])
  const offers = useOffers()
  const { needsAdmin, sendsLinks } = offers
  const [isForgotten, setForgotten] = useState(false)
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={400}>
        <Stack gap="lg">
          <Brand />
          {needsAdmin && <SetupHelp />}
          {isForgotten ? (
            <Forgotten onBack={() => setForgotten(false)} />
          ) : (
            <Paper withBorder p="lg" shadow="sm">
              <Title order={1} size="h3" mb="md">
                {t(($) => $.account.signIn)}
              </Title>
              <SignInWith offers={offers} />
              <SignInForm offersPasskeys={offers.offersPasskeys} />
              {sendsLinks && (
                <Button variant="subtle" mt="md" fullWidth onClick={() => setForgotten(true)}>
                  {t(($) => $.account.forgotten)}
                </Button>
              )}
            </Paper>
          )}
          {!needsAdmin && (
            <Text size="sm" c="dimmed">
              {t(($) => $.account.noAccount)}
            </Text>
          )}
        </Stack>
      </Box>
    </Center>
  )
}
