import { Box, Button, Center, Paper, Stack, Text, Title } from "@mantine/core"
import { useEffect, useState } from "react"
import { assertOk, send } from "../../../console/api/send"
import { Brand } from "../../../console/shell/brand"
import { SetupHelp, SignInForm } from "../../../console/shell/sign-in-form"
import { split } from "../../../console/shell/split"
import { t } from "../../../console/texts"

const Forgotten = split(async () => ({ default: (await import("./reset")).Forgotten }), 160)

export default function SignIn() {
  useEffect(() => void (document.title = t(($) => $.account.signInTitle)), [])
  const { needsAdmin, sendsLinks, offersPasskeys } = useOffers()
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
              <SignInForm offersPasskeys={offersPasskeys} />
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

type Offers = { needsAdmin: boolean; sendsLinks: boolean; offersPasskeys: boolean }

/**
 * Whether the server has no admin yet, and whether it sends links to people who have forgotten their password. Without a
 * response the page shows only the sign-in form.
 */
function useOffers(): Offers {
  const [offers, setOffers] = useState<Offers>({
    needsAdmin: false,
    sendsLinks: false,
    offersPasskeys: false,
  })
  useEffect(() => {
    const read = async () => {
      const response = await assertOk(await send("GET", "/console/session/setup", {}))
      setOffers((await response.json()).data)
    }
    read().catch(() => {})
  }, [])
  return offers
}
