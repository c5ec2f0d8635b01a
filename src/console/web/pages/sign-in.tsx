import { Box, Center, Paper, Stack, Text, Title } from "@mantine/core"
import { useEffect } from "react"
import { Brand } from "../parts/brand"
import { SignInForm } from "../parts/sign-in-form"
import { t } from "../texts"

export default function SignIn() {
  useEffect(() => void (document.title = t(($) => $.account.signInTitle)), [])
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={400}>
        <Stack gap="lg">
          <Brand />
          <Paper withBorder p="lg" shadow="sm">
            <Title order={1} size="h3" mb="md">
              {t(($) => $.account.signIn)}
            </Title>
            <SignInForm />
          </Paper>
          <Text size="sm" c="dimmed">
            {t(($) => $.account.noAccount)}
          </Text>
        </Stack>
      </Box>
    </Center>
  )
}
