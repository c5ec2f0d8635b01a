import { AppShell, Button, Center, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Notifications } from "@mantine/notifications"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { useEffect } from "react"
import { Router, useLocation } from "wouter"
import { messageOf } from "../api/client"
import { ApiError } from "../api/send"
import { SignedIn, useMeQuery } from "../api/hooks"
import { signOut, useSession } from "../api/session"
import { addFont } from "../font"
import { useGuardedLocation } from "../forms/unsaved"
import { Confirmations } from "../parts/confirm"
import { ErrorBoundary } from "../parts/error-boundary"
import { Waiting } from "../parts/waiting"
import { t } from "../texts"
import { focusTop, useFocusAfterDialogs, useTopOfNewPages } from "./focus"
import { Header } from "./header"
import { LiveData } from "./live-data"
import { Menu } from "./menu"
import { Pages } from "./pages"
import { Palette } from "./palette"
import { SessionLock } from "./session-lock"
import { Silence } from "./silence"
import { WebhookNotice } from "./webhook-notice"

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The server may be on this machine, and then works without a network.
      networkMode: "always",
      // The server would reject the same request again. Retry only if there was no response or status 503.
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status === 503),
    },
    mutations: { networkMode: "always" },
  },
})

// The sign-in page loads faster without it.
addFont()

/** The frame around the pages, after the user has signed in. */
export default function Shell() {
  return (
    <QueryClientProvider client={client}>
      <LiveData />
      <Notifications position="bottom-right" />
      <Router base="/console" hook={useGuardedLocation}>
        <Frame />
      </Router>
      <Confirmations />
      <SessionLock />
    </QueryClientProvider>
  )
}

function Frame() {
  const me = useMeQuery()
  const { state } = useSession()
  const [isOpen, { toggle, close }] = useDisclosure()
  const [path] = useLocation()
  useEffect(close, [path, close])
  useEffect(() => {
    // The focused element was removed with its page. Move the focus to the top of the new page.
    if (document.activeElement === document.body) focusTop()
  }, [path])
  useTopOfNewPages(path)
  useFocusAfterDialogs()
  if (me.isError && !me.data) return <Failed error={me.error} onRetry={() => me.refetch()} />
  if (!me.data) return <Waiting height="60vh" />
  return (
    <SignedIn value={me.data}>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 224, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <a className="skip-link" href="#content">
          {t(($) => $.shell.skip)}
        </a>
        <AppShell.Header>
          <Header isOpen={isOpen} onToggle={toggle} />
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label={t(($) => $.shell.menu)}>
          <Menu />
        </AppShell.Navbar>
        <Content path={path} />
        {state === "in" && <Palette />}
      </AppShell>
    </SignedIn>
  )
}

const Content = ({ path }: { path: string }) => (
  <AppShell.Main id="content" tabIndex={-1}>
    <Silence />
    <WebhookNotice />
    <ErrorBoundary at={path}>
      <Pages />
    </ErrorBoundary>
  </AppShell.Main>
)

/** Shown if the signed-in user could not be loaded. */
const Failed = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <Center h="100dvh" component="main">
    <Stack align="center">
      <Text role="alert">{messageOf(error)}</Text>
      <Button onClick={onRetry}>{t(($) => $.common.tryAgain)}</Button>
      <Button variant="subtle" onClick={() => signOut()}>
        {t(($) => $.account.signOut)}
      </Button>
    </Stack>
  </Center>
)
