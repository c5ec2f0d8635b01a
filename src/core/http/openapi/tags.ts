import { isBusiness, type Resource } from "../../kind/define"
import { pluralOf } from "../route/kind-routes"

/** A tag of the API document, with the name that /docs shows for it. */
type Tag = { title: string; about?: string }

function tagsOfKinds(kinds: readonly Resource[]): Record<string, Tag> {
  const listed = kinds
    .filter(isBusiness)
    .toSorted((a, b) => Number(a.isListedLast ?? false) - Number(b.isListedLast ?? false))
  return Object.fromEntries(
    listed.map(({ name, noun }) => [name, { title: pluralOf(`${noun[0]?.toUpperCase()}${noun.slice(1)}`) }]),
  )
}

/**
 * The tags of the API document, in the order of their importance to readers: the records of the business, then access,
 * then the instance. The description of a kind is in its model; other tags have their description here.
 */
export const tagGroupsOf = (kinds: readonly Resource[]): Record<string, Record<string, Tag>> => ({
  "Business records": {
    ...tagsOfKinds(kinds),
    search: { title: "Search", about: "Search in all kinds of records." },
    jobs: { title: "Jobs", about: "Work in the background, such as a change of many prices." },
    events: { title: "Events", about: "What happened to records, in order, for other programs." },
    imports: { title: "Imports", about: "Import records from CSV and XLSX files." },
    reports: { title: "Reports", about: "Figures that are calculated from many records." },
  },
  Access: {
    auth: { title: "Sign-in", about: "Sign in and out, and see your own rights and connected apps." },
    "api-keys": { title: "API keys" },
    "oauth-clients": { title: "OAuth clients" },
    webhooks: { title: "Webhooks" },
    oauth: {
      title: "OAuth",
      about: "The endpoints that OAuth clients call. Their requests and responses follow the RFCs.",
    },
    users: { title: "Users" },
    views: { title: "Views", about: "Saved views of lists." },
  },
  Instance: {
    settings: { title: "Settings" },
    "audit-logs": { title: "Audit log" },
    backups: { title: "Backups", about: "Backups of the database, and the export of all data. For admins." },
  },
})

/** Every tag by its name, in the same order. */
export const tagsByName = (kinds: readonly Resource[]): Record<string, Tag> =>
  Object.assign({}, ...Object.values(tagGroupsOf(kinds)))
