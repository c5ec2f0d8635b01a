import { steadyMillis } from "../../../core/lib/clock"
import { isObject } from "../../../core/kind/object"
import type { Network } from "../../webhooks/addresses"
import { sendTo } from "../../webhooks/request"
import type { OAuthClient } from "../model"
import { errorOfRedirect } from "../redirect-uri"

/** What an app says about itself, at the https address that is its client ID. */
export type Described = Pick<OAuthClient, "name" | "redirectUris"> & { metadataUrl: string }

const mostBytes = 16 * 1024
const longestUrl = 2_000
const longestName = 100
const mostRedirects = 20
/** How long a document, or that there is none, is kept: it is fetched for everybody who opens the page of the app. */
const keptFor = 5 * 60_000
const mostKept = 200
const atOnce = 8

/** True for a client ID that is the address of a document: https, with a path, and without anything that has two forms. */
export function isDocumentUrl(id: string): boolean {
  if (!id.startsWith("https://") || id.length > longestUrl || !URL.canParse(id)) return false
  const { href, pathname, username, password, search, hash } = new URL(id)
  return href === id && pathname !== "/" && !username && !password && !search && !hash && !id.includes("#")
}

/**
 * The documents of apps that nobody has registered (OAuth Client ID Metadata Documents). They are fetched as events are
 * sent: at checked addresses, over https, without redirects. Null when the server does not call others.
 */
export function clientDocuments(network: Network) {
  const kept = new Map<string, { found: Described | null; until: number }>()
  const fetching = new Map<string, Promise<void>>()

  const load = async (url: string): Promise<void> => {
    const found = await read(url, network).catch(() => null)
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "")
    kept.set(url, { found, until: steadyMillis() + keptFor })
  }
  const known = (url: string) => {
    const one = kept.get(url)
    return one && one.until > steadyMillis() ? one : undefined
  }

  return {
    /** Fetches the document of a client ID, if it is not known. Too many at once count as not found. */
    async prepare(url: string): Promise<void> {
      if (!isDocumentUrl(url) || known(url)) return
      const running = fetching.get(url)
      if (running) return running
      if (fetching.size >= atOnce) return
      const work = load(url).finally(() => fetching.delete(url))
      fetching.set(url, work)
      return work
    },
    /** The app that has been fetched; null if there is none. */
    find: (url: string): Described | null => known(url)?.found ?? null,
  }
}

export type ClientDocuments = ReturnType<typeof clientDocuments>

async function read(url: string, network: Network): Promise<Described | null> {
  // Plain http would be allowed in networks of --allow-private-webhooks.
  const outgoing = {
    method: "GET" as const,
    url,
    headers: { accept: "application/json" },
    body: "",
    keeps: mostBytes,
  }
  const { status, type = "", text } = await sendTo(outgoing, network, new AbortController().signal)
  if (status !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return null
  return described(url, JSON.parse(text))
}

/** An app that can be what the document says: a public one with redirect URIs that a registered one could have, too. */
export function described(url: string, document: unknown): Described | null {
  if (!isObject(document) || document["client_id"] !== url) return null
  const { client_name: name, redirect_uris: uris, token_endpoint_auth_method: method = "none" } = document
  const isNamed = typeof name === "string" && name.trim() !== "" && name.length <= longestName
  if (!isNamed || hasControls(name) || method !== "none") return null
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > mostRedirects) return null
  const isGood = (uri: unknown) =>
    typeof uri === "string" && uri.length <= longestUrl && errorOfRedirect(uri) === null
  return uris.every(isGood) ? { name: name.trim(), redirectUris: uris as string[], metadataUrl: url } : null
}

/** Signs that hide or reverse text could make a name look like another one. */
const hasControls = (name: string): boolean => /\p{Cc}|\p{Cf}|\p{Co}/u.test(name) || !name.isWellFormed()
