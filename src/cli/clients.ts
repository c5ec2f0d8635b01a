import { UsageError } from "../config"
import { readClient } from "../office/oauth/client-service"
import { oauthClients, type OAuthClient } from "../office/oauth/model"
import { printAll, readIdAction, required, requiredScopes, type Command, type Run } from "./command"
import { print, say } from "../core/lib/process/output"
import { withServices, listAll } from "./with-services"

/** The actions, and the options of each. */
const actions = {
  create: ["name", "redirect-uri", "scopes", "public"],
  list: [],
  remove: [],
  rotate: [],
} as const

export const clientsCommand: Command = {
  name: "clients",
  summary: "Register, list and remove OAuth clients, and rotate their secrets",
  usage:
    "create --name NAME --redirect-uri URI… --scopes SCOPE,… [--public] | list | rotate ID | remove ID  [--json]",
  examples: [
    "kontor clients create --name 'Web shop' --redirect-uri https://shop.example/callback --scopes read,write",
    "kontor clients create --name 'Desktop app' --redirect-uri http://127.0.0.1/callback --scopes read --public",
    "kontor clients remove cli_01kb2qk3dvb6r8h5m9x4w7z2nc",
  ],
  takes: ["db"],
  words: 2,
  flags: {
    name: "The name that people see",
    "redirect-uri": "A URI that receives the authorization code; may be repeated",
    scopes: "The scopes that it may request: read, write, delete, admin, webhooks, separated by commas",
  },
  lists: ["redirect-uri"],
  switches: {
    public: "A client that cannot keep a secret, such as an app on a user's machine",
    json: "Print the result as JSON",
  },
  async run(run) {
    const { action, id } = readIdAction("clients", actions, ["remove", "rotate"], run)
    await withServices(run.config, async ({ oauthClients: clients }, writer) => {
      if (action === "list")
        return printAll(await listAll(oauthClients, clients.list, "createdAt"), run, titles, rowOf)
      if (action === "create") {
        const draft = readClient(clientInput(run))
        return printNew(await writer((tx) => clients.create(tx, draft)), run)
      }
      if (action === "rotate") return printNew(await writer((tx) => clients.rotate(tx, id)), run)
      await writer((tx) => clients.remove(tx, id))
      print(run.switches.json ? JSON.stringify({ id, removed: true }) : `${id} is removed.`)
    })
  },
}

function clientInput(run: Run): Record<string, unknown> {
  const { lists, switches } = run
  const name = required("clients", run, "name")
  const scopes = requiredScopes("clients", run)
  if (!lists["redirect-uri"]) throw new UsageError('--redirect-uri is missing. See "kontor clients --help".')
  return {
    name,
    redirectUris: lists["redirect-uri"],
    scopes,
    type: switches.public ? "public" : "confidential",
  }
}

function printNew(
  { record, secret }: { record: OAuthClient; secret: string | null },
  { switches }: Run,
): void {
  if (switches.json)
    return print(JSON.stringify({ ...record, ...(secret === null ? {} : { clientSecret: secret }) }))
  say(
    `${record.name}, ${record.type}, ${record.scopes.join(",")}. The client ID${secret === null ? ":" : " and the secret, which is shown only here:"}`,
  )
  print([record.id, ...(secret === null ? [] : [secret])].join("\n"))
}

const titles = ["ID", "NAME", "TYPE", "SCOPES", "REDIRECT URIS"]
const rowOf = ({ id, name, type, scopes, redirectUris }: OAuthClient): string[] => [
  id,
  name,
  type,
  scopes.join(","),
  redirectUris.join(" "),
]
