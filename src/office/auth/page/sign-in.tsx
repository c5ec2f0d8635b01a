import { Box, Center, Paper, Stack, Text, Title } from "@mantine/core"
import { useEffect, useState } from "react"
import { assertOk, send } from "../../../console/api/send"
import { Brand } from "../../../console/shell/brand"
import { SetupHelp, SignInForm } from "../../../console/shell/sign-in-form"
import { t } from "../../../console/texts"

export default function SignIn() {
  useEffect(() => void (document.title = t(($) => $.account.signInTitle)), [])
  const needsAdmin = useNeedsAdmin()
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={400}>
        <Stack gap="lg">
          <Brand />
          {needsAdmin && <SetupHelp />}
          <Paper withBorder p="lg" shadow="sm">
            <Title order={1} size="h3" mb="md">
              {t(($) => $.account.signIn)}
            </Title>
            <SignInForm />
          </Paper>
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

/** True if the server has no admin yet. Without a response the page shows only the sign-in form. */
function useNeedsAdmin(): boolean {
  const [needsAdmin, setNeedsAdmin] = useState(false)
  useEffect(() => {
    const read = async () => {
      const response = await assertOk(await send("GET", "/console/session/setup", {}))
      setNeedsAdmin((await response.json()).data.needsAdmin)
    }
    read().catch(() => {})
  }, [])
  return needsAdmin
}
