import "@mantine/core/styles.css"
import "@mantine/dates/styles.css"
import "@mantine/notifications/styles.css"
import "@mantine/spotlight/styles.css"
import "@mantine/charts/styles.css"
import "./console.css"
import { Button, Center, Loader, MantineProvider, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useEffect } from "react"
import { createRoot } from "react-dom/client"
import { resume, useSession } from "./api/session"
import { readable, theme } from "./theme"

const SetUp = lazy(() => import("./pages/set-up"))
const SignIn = lazy(() => import("./pages/sign-in"))
const Shell = lazy(() => import("./shell/shell"))

const isSetUp = location.pathname === "/setup"
if (location.pathname === "/") history.replaceState(null, "", "/console/")

/** Shows only the sign-in page until the user has signed in. */
function Console() {
  const { state, user } = useSession()
  useEffect(() => {
    if (!isSetUp) void resume()
  }, [])
  if (isSetUp && state !== "in") return <SetUp />
  if (state === "unknown") return <Waiting />
  if (state === "silent") return <Silent />
  if (user === null) return <SignIn />
  return <Shell />
}

const Silent = () => (
  <Center h="100dvh" component="main">
    <Stack align="center">
      <Text role="alert">Kontor is not responding.</Text>
      <Button onClick={() => resume()}>Try again</Button>
    </Stack>
  </Center>
)

const Waiting = () => (
  <Center h="100dvh">
    <Loader aria-label="Loading" />
  </Center>
)

const root = document.getElementById("root")
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} cssVariablesResolver={readable} defaultColorScheme="auto">
      <Suspense fallback={<Waiting />}>
        <Console />
      </Suspense>
    </MantineProvider>,
  )
