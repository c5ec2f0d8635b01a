import "@mantine/core/styles.css"
import "@mantine/dates/styles.css"
import "@mantine/notifications/styles.css"
import "@mantine/spotlight/styles.css"
import "./console.css"
import { Button, Center, MantineProvider, Stack, Text } from "@mantine/core"
import { useEffect } from "react"
import { createRoot } from "react-dom/client"
import { resume, useSession } from "./api/session"
import { addFont } from "./font"
import { split, Waiting } from "./shell/split"
import { loadTexts, t } from "./texts"
import { readable, themeOf } from "./theme"

const SetUp = split(() => import("../office/auth/page/set-up"), "100dvh")
const Reset = split(() => import("../office/auth/page/reset"), "100dvh")
const SignIn = split(() => import("../office/auth/page/sign-in"), "100dvh")
const Shell = split(() => import("./shell/shell"), "100dvh")

const isSetUp = location.pathname === "/setup"
/** A link for a new password works also for somebody who is signed in. */
const isReset = location.pathname === "/console/reset"
if (location.pathname === "/") history.replaceState(null, "", "/console/")

/** Shows only the sign-in page until the user has signed in. */
function Console() {
  const { state, user } = useSession()
  useEffect(() => {
    if (!isSetUp && !isReset) void resume()
  }, [])
  if (isSetUp && state !== "in") return <SetUp />
  if (isReset) return <Reset />
  if (state === "unknown") return <Waiting height="100dvh" />
  if (state === "silent") return <Silent />
  if (user === null) return <SignIn />
  return <Shell />
}

const Silent = () => (
  <Center h="100dvh" component="main">
    <Stack align="center">
      <Text role="alert">{t(($) => $.shell.silent)}</Text>
      <Button onClick={() => resume()}>{t(($) => $.common.tryAgain)}</Button>
    </Stack>
  </Center>
)

const root = document.getElementById("root")
addFont()
await loadTexts()
if (root)
  createRoot(root).render(
    <MantineProvider theme={themeOf()} cssVariablesResolver={readable} defaultColorScheme="auto">
      <Console />
    </MantineProvider>,
  )
