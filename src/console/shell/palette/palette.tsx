import { Spotlight, useSpotlight } from "@mantine/spotlight"
import { useDebouncedValue } from "@mantine/hooks"
import { type Icon, IconFileImport, IconPlus, IconSearch } from "../../parts/icons"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { useLocation } from "wouter"
import { useMay, useRead } from "../../api/hooks"
import type { Hit, Kind, Kinds } from "../../api/types"
import { type ConsoleKind, kindOf, kinds } from "../../kinds"
import { t } from "../../texts"
import { t as own } from "./texts"
import { hitName } from "./hit-name"
import { openSelected, resultsId, searchStore, selectFirst } from "./search-dialog"
import { type Place, places, settingsPlaces } from "../navigation"
import type { Right } from "../../../shared/rights"
import { statusName } from "../../texts/fields"
import { useQuery } from "@tanstack/react-query"
import { call } from "../../api/client"
import { money } from "../../format"

const documentKinds = Object.entries(kinds).flatMap(([name, { hasTotal }]) =>
  hasTotal ? [name as Kind] : [],
)
type Document = { id: string; total: number; currency: string; status: string }

/** The amount and the status of the documents among the hits, by id: a number alone says little about a document. */
function useDetails(hits: Partial<Record<keyof Kinds, Hit[]>>): ReadonlyMap<string, string> {
  const wanted = documentKinds.map((kind) => ({ kind, ids: (hits[kind] ?? []).map(({ id }) => id) }))
  const { data } = useQuery({
    queryKey: ["search", "details", wanted],
    queryFn: async () => new Map((await Promise.all(wanted.map(read))).flat()),
    enabled: wanted.some(({ ids }) => ids.length > 0),
  })
  return data ?? new Map()
}

async function read({ kind, ids }: { kind: Kind; ids: string[] }): Promise<[string, string][]> {
  if (ids.length === 0) return []
  const path = `/${kind}?id[in]=${ids.join(",")}&fields=id,total,currency,status`
  const { data } = await call<Document[]>("GET", path)
  return data.map(({ id, total, currency, status }) => [
    id,
    `${money(total, currency)} · ${statusName(status)}`,
  ])
}

/** The search dialog (Ctrl+K): finds records and pages by name, number, amount, phone or email. */
export function Palette() {
  const [typed, setTyped] = useTyped()
  const { found, hits, isWaiting, isError, message } = useFound(typed.trim())
  const details = useDetails(hits)
  const menu = useMenu(typed.trim())
  const actions = useActions(typed.trim())
  const onKeyDownCapture = useFirstHit(typed, found, isWaiting && !isError)
  return (
    <Spotlight.Root
      store={searchStore}
      tagsToIgnore={[]}
      attributes={{ content: { "aria-label": t(($) => $.common.search) } }}
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder={t(($) => $.shell.searchHint)}
        aria-label={t(($) => $.shell.searchEverything)}
        leftSection={<IconSearch size={18} />}
        onKeyDownCapture={onKeyDownCapture}
      />
      <Spotlight.ActionsList id={resultsId}>
        {found.map(({ kind, hits }) => (
          <Choices
            key={kind.path}
            title={kind.title}
            of={hits.map((hit) => choiceOf(hit, kind, details.get(hit.id)))}
          />
        ))}
        {actions.length > 0 && <Choices title={t(($) => $.shell.create)} of={actions} />}
        {menu.length > 0 && <Choices title={t(($) => $.shell.goTo)} of={menu} />}
        {found.length + menu.length + actions.length === 0 && <Spotlight.Empty>{message}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/**
 * The typed text, which is empty whenever the dialog opens. The library empties it when the dialog has faded out, so not
 * if it opens again before that. An effect would be too late: it could delete what is typed at once.
 */
function useTyped() {
  const { opened } = useSpotlight(searchStore)
  const [wasOpened, setWasOpened] = useState(opened)
  const [typed, setTyped] = useState("")
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setTyped("")
  }
  return [typed, setTyped] as const
}

type Found = { kind: ConsoleKind; hits: Hit[] }

/**
 * Selects the first hit as soon as the results of the typed text are there, so that Enter opens it. Until then, results
 * of an earlier text may be on screen. If Enter is pressed before the results are there, the first one is opened when
 * they arrive. Returns the handler of the keys.
 */
function useFirstHit(typed: string, found: Found[], isWaiting: boolean) {
  const entered = useRef<string | null>(null)
  const shown = found.flatMap(({ hits }) => hits.map(({ id }) => id)).join()
  useEffect(() => {
    if (isWaiting || typed === "") return
    selectFirst()
    if (entered.current === typed) openSelected()
    entered.current = null
  }, [typed, shown, isWaiting])
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !isWaiting) return
    event.preventDefault()
    event.stopPropagation()
    entered.current = typed
  }
}

/** The search results by kind, the kind with the best hit first, and the message if there are none. */
function useFound(typed: string) {
  const [searched] = useDebouncedValue(typed, 120)
  const { data, isFetching, isError } = useRead<Record<string, Hit[]>>(
    `/search?limit=5&q=${encodeURIComponent(searched)}`,
    searched !== "",
  )
  const hits = (searched !== "" && data) || {}
  const found = Object.entries(hits)
    .flatMap(([name, hits]): Found[] => {
      const kind = kindOf(name)
      return kind && hits.length > 0 ? [{ kind, hits }] : []
    })
    .toSorted((a, b) => bestOf(b) - bestOf(a))
  const isWaiting = typed !== "" && (searched !== typed || (isFetching && !data))
  return { found, hits, isWaiting, isError, message: messageOf(isError, isWaiting) }
}

function messageOf(isError: boolean, isWaiting: boolean): string {
  if (isError) return t(($) => $.shell.noAnswerYet)
  return isWaiting ? t(($) => $.shell.searching) : t(($) => $.shell.noResults)
}

const bestOf = ({ hits }: Found): number => hits[0]?.score ?? 0

/** The pages of the menu that have all typed words, those with them in the title first. */
function useMenu(typed: string): Choice[] {
  const may = useMay()
  const allowed = [...places, ...settingsPlaces, importPlace].filter(({ right }) =>
    may(right.area, right.scope),
  )
  const named = allowed.filter(({ title }) => hasWords(title, typed))
  const others = allowed.filter(
    (place) => !named.includes(place) && hasWords(wordsOf(place), typed, isBeginning),
  )
  return [...named, ...others]
}

/** The page that imports files, which stands in the lists and not in the menu. */
const importPlace: Place = {
  path: "/import",
  title: own(($) => $.import),
  icon: IconFileImport,
  right: { area: "items", scope: "write" },
  group: "stock",
}

const wordsOf = ({ title, path, group }: Place): string =>
  [title, t(($) => $.menu.groups[group]), own(($) => $.words, { returnObjects: true })[path] ?? ""].join(" ")

/** The actions that contain all typed words: "order new". */
function useActions(typed: string): Choice[] {
  const may = useMay()
  return newActions.filter(({ right, title }) => may(right.area, right.scope) && hasWords(title, typed))
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()

const isPart = (text: string, word: string): boolean => text.includes(word)
const isBeginning = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`)

/** True for a text that has all typed words. */
function hasWords(text: string, typed: string, has = isPart): boolean {
  const all = folded(text)
  return folded(typed)
    .split(/\s+/)
    .every((word) => has(all, word))
}

type Choice = Pick<Place, "path" | "title" | "icon"> & { detail?: string }

const choiceOf = ({ id, name }: Hit, kind: ConsoleKind, detail?: string): Choice => ({
  path: kind.recordPath?.(id) ?? kind.path,
  title: hitName(name, kind),
  icon: kind.icon,
  detail,
})

function Choices({ title, of }: { title: string; of: Choice[] }) {
  const [, go] = useLocation()
  return (
    <Spotlight.ActionsGroup label={title}>
      {of.map(({ path, title, icon: Icon, detail }) => (
        <Spotlight.Action
          key={path}
          label={title}
          description={detail}
          leftSection={<Icon size={18} stroke={1.7} />}
          onClick={() => go(path)}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

type Action = { path: string; title: string; icon: Icon; right: Right }

/** The actions that the search (Ctrl+K) offers: the pages of new records. */
const newActions: Action[] = Object.entries(kinds).flatMap(([name, { path, right, isCreated }]) => {
  const title = t(($) => $.kinds[name as Kind].new)
  return isCreated
    ? [{ path: `${path}/new`, title, icon: IconPlus, right: { ...right, scope: "write" } }]
    : []
})
