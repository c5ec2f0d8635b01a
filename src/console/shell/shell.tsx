import { Alert, AppShell, Button, Center, Group, Modal, Paper, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Notifications } from "@mantine/notifications"
import { type Query, QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useSyncExternalStore } from "react"
import { Router, useLocation } from "wouter"
import { messageOf } from "../api/client"
import { ApiError, useIsSilent, watchServer } from "../api/send"
import { SignedIn, useMeQuery } from "../api/hooks"
import { isDemo, signOut, useSession } from "../api/session"
import { useGuardedLocation } from "../forms/unsaved"
import { Confirmations } from "../parts/confirm"
import { ErrorBoundary, split, Waiting } from "./split"
import { t } from "../texts"
import { focusTop, useFocusAfterDialogs, useTopOfNewPages } from "./focus"
import { Header } from "./header"
import { Menu } from "./menu"
import { Notices } from "./notices"
import { Pages } from "./pages"
import { Palette } from "./palette/palette"
import { ShortcutList, useShortcuts } from "./shortcuts"
import { endErrors } from "../parts/tell"
import { SignInWith, useOffers } from "./providers"
import { SignInForm } from "./sign-in-form"
import { IconPlugConnectedX } from "../parts/icons"
import { clockTime } from "../format"
import type { FeedEvent, Me } from "../api/types"
import { followFeed } from "../api/follow"
import { clock } from "../clock"
import { type Change, isOutdated } from "./outdated"

const OnlyFactors = split(async () => ({
  default: (await import("../../office/auth/page/account")).OnlyFactors,
}))
const SandboxBar = split(() => import("../../office/sandbox/page/bar"), 0)

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

/** The frame around the pages, after the user has signed in. */
export default function Shell() {
  return (
    <QueryClientProvider client={client}>
      <LiveData />
      <Notifications position="bottom-right" />
      <Router base="/console" hook={useGuardedLocation}>
        <Frame />
        <Questions />
      </Router>
      <SessionLock />
    </QueryClientProvider>
  )
}

/** Questions may have links and depend on the rights of the user. They are also asked while the pages cannot be shown. */
const Questions = () => (
  <SignedIn value={useMeQuery().data ?? null}>
    <Confirmations />
  </SignedIn>
)

function Frame() {
  const me = useMeQuery()
  const { state } = useSession()
  const [isOpen, { toggle, close }] = useDisclosure()
  const [path] = useLocation()
  const [isListOpen, list] = useDisclosure()
  useShortcuts(list.open)
  useEffect(close, [path, close])
  useEffect(endErrors, [path])
  useEffect(() => {
    // The focused element was removed with its page. Move the focus to the top of the new page.
    if (document.activeElement === document.body) focusTop()
  }, [path])
  useTopOfNewPages(path)
  useFocusAfterDialogs()
  if (me.isError && !me.data) return <Failed error={me.error} onRetry={() => me.refetch()} />
  if (!me.data) return <Waiting height="60vh" />
  if (me.data.mustAddFactor) return <FactorFirst me={me.data} />
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
          <Header isOpen={isOpen} onToggle={toggle} onShortcuts={list.open} />
        </AppShell.Header>
        <AppShell.Navbar
          p="xs"
          aria-label={t(($) => $.shell.menu)}
          // The entry of the page that is shown leads to no other path.
          onClick={({ target }) => target instanceof Element && target.closest("a") && close()}
        >
          <Menu />
        </AppShell.Navbar>
        <Content path={path} />
        {state === "in" && <Palette />}
        <ShortcutList isOpen={isListOpen} onClose={list.close} />
      </AppShell>
    </SignedIn>
  )
}

/** A user who must add a second factor can do nothing else, so there is no menu. */
const FactorFirst = ({ me }: { me: Me }) => (
  <SignedIn value={me}>
    <Center component="main" id="content" p="md">
      <OnlyFactors />
    </Center>
  </SignedIn>
)

const Content = ({ path }: { path: string }) => (
  <AppShell.Main id="content" tabIndex={-1}>
    <Silence />
    {isDemo() && <SandboxBar />}
    <Notices />
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

/**
 * Asks for the password again after the session has expired. The page stays open behind it with its unsaved changes,
 * and pending requests continue after the sign-in.
 */
function SessionLock() {
  const { state, user } = useSession()
  const client = useQueryClient()
  useEffect(() => {
    if (state === "out") client.clear()
  }, [state, client])
  return (
    <Modal
      opened={state === "locked"}
      onClose={() => {}}
      title={t(($) => $.account.signInAgain)}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 8 }}
      zIndex={1000}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t(($) => $.account.expired)}
      </Text>
      {state === "locked" && <OtherWays />}
      {user && <SignInForm email={user.email} />}
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" onClick={() => signOut()}>
          {t(($) => $.account.signOut)}
        </Button>
      </Group>
    </Modal>
  )
}

/** The session goes on in this tab when it was entered in another one. */
const OtherWays = () => <SignInWith offers={useOffers()} isNewTab />

/** A banner while the server does not respond: the page shows old data then. Reads the data again afterwards. */
function Silence() {
  const isSilent = useIsSilent()
  const client = useQueryClient()
  const wasSilent = useRef(false)
  useEffect(watchServer, [])
  useEffect(() => {
    if (wasSilent.current && !isSilent) void client.invalidateQueries()
    wasSilent.current = isSilent
  }, [isSilent, client])
  return isSilent && <Banner client={client} />
}

function Banner({ client }: { client: QueryClient }) {
  const cache = client.getQueryCache()
  const readAt = useSyncExternalStore(
    (tell) => cache.subscribe(tell),
    () => oldestDataOf(client),
  )
  return (
    <Paper className="silence no-print" shadow="sm" mb="md">
      <Alert color="orange" role="alert" icon={<IconPlugConnectedX />}>
        {readAt === null
          ? t(($) => $.shell.silent)
          : t(($) => $.shell.silentSince, { time: clockTime(readAt) })}{" "}
        {t(($) => $.shell.cannotSave)}
      </Alert>
    </Paper>
  )
}

/** When the oldest data on the page was read, in ms. The signed-in user is not data of the page. */
function oldestDataOf(client: QueryClient): number | null {
  const times = client
    .getQueryCache()
    .findAll({ type: "active", predicate: ({ queryKey }) => queryKey[0] !== "me" })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((time) => time > 0)
  return times.length === 0 ? null : Math.min(...times)
}

/** Events are collected for this time, in ms. */
const collected = 1_000
/** The least time between two reloads, in ms. */
const leastPause = 2_000
/** While there are always new events, pages are reloaded this often, in ms, after the first reloads. */
const usualPause = 5_000
const firstReloads = 10
/** After more changes than these, all data is read again. */
const mostChanges = 1_000

/** Reads the data of the open page again when somebody has changed it. Shows nothing. */
function LiveData() {
  const client = useQueryClient()
  const id = useSession().user?.id
  useEffect(() => {
    if (!id) return
    const reloads = reloader(client)
    const stop = followFeed(id, reloads)
    return () => {
      stop()
      reloads.end()
    }
  }, [client, id])
  return null
}

/** The pace of reloads, which leaves most of the user's requests per minute for the user. */
function reloadPace() {
  let nextAt = 0
  // Grows with each reload, and is never before now. How far it is ahead tells how many reloads there were lately.
  let paidUntil = 0
  return {
    /** The time before the next reload, in ms. */
    wait(): number {
      const now = clock.real()
      return Math.max(collected, nextAt - now, paidUntil - firstReloads * usualPause - now)
    },
    /** Counts a reload. */
    count(): void {
      const now = clock.real()
      nextAt = now + leastPause
      paidUntil = Math.max(paidUntil, now) + usualPause
    },
  }
}

/** Reads outdated data again. */
function reloader(client: QueryClient) {
  const changes = new Map<string, Change>()
  let isBurst = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const pace = reloadPace()

  const schedule = () => {
    timer ??= setTimeout(reload, pace.wait())
  }
  const reload = () => {
    timer = undefined
    const noted = [...changes.values()]
    const isAll = isBurst || noted.length > mostChanges
    const outdated = client
      .getQueryCache()
      .findAll()
      .filter((query) => isAll || noted.some((change) => isOutdated(query, change)))
    // A request that runs may have been sent before the change. It is not repeated now, so that no page is lost that
    // the user waits for.
    if (outdated.some(({ state }) => state.fetchStatus !== "idle")) return schedule()
    changes.clear()
    isBurst = false
    if (outdated.length === 0) return
    pace.count()
    const hashes = new Set(outdated.map(({ queryHash }) => queryHash))
    void invalidate(client, ({ queryHash }) => hashes.has(queryHash))
  }
  return {
    onEvents(events: FeedEvent[]) {
      for (const event of events) if (changes.size <= mostChanges) changes.set(event.recordId, event)
      schedule()
    },
    onGap: () => void invalidate(client, isOlder),
    onBurst() {
      isBurst = true
      schedule()
    },
    end: () => clearTimeout(timer),
  }
}

/** What was read before a gap may be outdated. What was read just now, while the page was loaded, is not. */
const isOlder = ({ state }: Query): boolean =>
  state.fetchStatus === "idle" && state.dataUpdatedAt < clock.real() - collected

type Filter = Exclude<Parameters<QueryClient["invalidateQueries"]>[0], undefined>

/** Hidden pages are read again when they are shown. */
const invalidate = (client: QueryClient, predicate: Filter["predicate"]): Promise<void> =>
  client.invalidateQueries({ predicate, refetchType: document.hidden ? "none" : "active" })
