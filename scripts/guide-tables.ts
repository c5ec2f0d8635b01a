// The tables of the guide that follow from the kinds: their error codes, types of events and searched fields.
import { pluralOf } from "../src/core/http/route/kind-routes"
import { eventKindsOf } from "../src/office/events/model"
import { kindList, ownRefusals } from "../src/kinds"

/** The pages with such tables, each with a function that returns the page with its table as it must be. */
export const guideTables: Record<string, (page: string) => string> = {
  "docs/guide/errors.md": withErrors,
  "docs/guide/events.md": (page) => withRows(page, "| Kind | Types |", eventRows()),
  "docs/guide/lists.md": (page) =>
    withRows(page, "| Kind | In lists and in `GET /search` | Only in `GET /search` |", searchRows()),
}

/** The codes of the kinds stand together, among those that every kind can have. */
function withErrors(page: string): string {
  const own = new Set(ownRefusals.map(({ code }) => code))
  const isOwn = (line: string) => own.has(/^\| `([A-Z_]+)` \| \d+ \|/.exec(line)?.[1] ?? "")
  const lines = page.split("\n")
  const place = lines.findIndex(isOwn)
  const rows = ownRefusals.map(({ code, about }) => `| \`${code}\` | 422 | ${about} |`)
  const others = lines.filter((line, i) => i >= place && !isOwn(line))
  return [...lines.slice(0, place), ...rows, ...others].join("\n")
}

/** Replaces the rows of the table with this header. */
function withRows(page: string, header: string, rows: readonly string[]): string {
  const lines = page.split("\n")
  const first = lines.indexOf(header) + 2
  if (first < 2) throw new Error(`The page has no table ${header}`)
  const end = lines.findIndex((line, i) => i >= first && !line.startsWith("|"))
  return [...lines.slice(0, first), ...rows, ...lines.slice(end)].join("\n")
}

const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ")
const titleOf = (name: string): string => {
  const noun = kindList.find((kind) => kind.name === name)?.noun
  const title = noun ? pluralOf(noun) : name
  return title.slice(0, 1).toUpperCase() + title.slice(1)
}

const eventRows = (): string[] =>
  eventKindsOf(kindList).map(({ name, types }) => `| ${titleOf(name)} | ${listed(types)} |`)

const searchRows = (): string[] =>
  kindList
    .filter(({ search }) => search.length > 0)
    .map(
      ({ name, search, searchMore = [] }) =>
        `| ${titleOf(name)} | ${listed(search)} | ${listed(searchMore)} |`,
    )
