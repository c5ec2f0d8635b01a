import type { Scope } from "../../../shared/rights"
import { asIs, html, toText, type Html } from "../../../core/lib/html"
import type { Ask } from "../model"
import { isOwnMachine } from "../redirect-uri"
import style from "./pages.css" with { type: "text" }

/** What each scope lets an app do, for the consent page. */
const descriptions: Record<Scope, string> = {
  read: "View your items, stock, customers, orders, invoices and profile",
  write: "Create and update records, submit orders, issue invoices and record payments",
  delete: "Delete records",
  admin: "View users, settings, OAuth clients and the audit log",
  webhooks: "Manage your webhooks, which send changed records that you may view to other programs",
}

/** The same for assistants, whose tools cannot do more. */
const ofAssistants: Partial<Record<Scope, string>> = {
  read: "View your items, stock, customers, orders, invoices and figures",
  write: "Draft orders, invoices and other documents. It cannot submit, issue, send or delete anything",
}

// Not part of the templates, because a formatter may change their whitespace, and the digest covers all of it.
const styleElement = asIs(`<style>${style}</style>`)
const styleDigest = new Bun.CryptoHasher("sha256").update(style).digest("base64")

type Form = { token: string; query: string }

/** A provider with which people sign in instead. */
type Other = { name: string; url: string }

export const signInPage = (
  ask: Ask,
  form: Form & { email?: string; problem?: string; others?: readonly Other[] },
): Html =>
  page(
    "Sign in",
    html`<p>
        <strong>${ask.client.name}</strong> (${hostOf(ask.redirectUri)}) wants to connect to Kontor. Sign in
        to decide.
      </p>
      ${form.problem ? html`<p class="problem" role="alert">${form.problem}</p>` : null}
      <form method="post" action="${actionOf(form)}">
        ${hiddenFields(form, "sign-in")}
        <label
          >Email<input type="email" name="email" autocomplete="username" required value="${form.email ?? ""}"
        /></label>
        <label
          >Password<input type="password" name="password" autocomplete="current-password" required
        /></label>
        <label
          >Code of your second factor, if you have one<input
            name="code"
            autocomplete="one-time-code"
            inputmode="text"
            maxlength="64"
        /></label>
        <button type="submit">Sign in</button>
      </form>
      ${(form.others ?? []).map(
        ({ name, url }) =>
          html`<p><a href="${url}?for=${encodeURIComponent(form.query)}">Sign in with ${name}</a></p>`,
      )}`,
  )

/** For a user of whom the settings ask for a second factor. */
export const factorPage = (): Html =>
  page(
    "Add a second factor first",
    html`<p>
        Your company asks for a second factor. Sign in to Kontor, add one under your account, and connect the
        app again.
      </p>
      <p><a href="/console/account">Open Kontor</a></p>`,
  )

type Consent = Form & {
  allowToken: string
  grantor: { name: string; email: string }
  scopes: readonly Scope[]
}

export const consentPage = (ask: Ask, { grantor, scopes, allowToken, ...form }: Consent): Html =>
  page(
    `Connect ${ask.client.name}?`,
    html`<p>
        <strong>${ask.client.name}</strong> wants to act for you. After your choice you return to
        <strong>${hostOf(ask.redirectUri)}</strong>. The app will be able to:
      </p>
      ${unregistered(ask)}
      <ul>
        ${scopes.map((scope) => html`<li>${describe(ask, scope)}</li>`)}
      </ul>
      <p class="lesser">
        You are signed in as ${grantor.name} (${grantor.email}). You can disconnect the app at any time under
        Settings, Connected apps.
      </p>
      <div class="choices">
        <form method="post" action="${actionOf(form)}">
          ${hiddenFields({ ...form, token: allowToken }, "allow")}<button type="submit">Allow</button>
        </form>
        <form method="post" action="${actionOf(form)}">
          ${hiddenFields(form, "deny")}<button type="submit" class="plain">Deny</button>
        </form>
        <form method="post" action="${actionOf(form)}">
          ${hiddenFields(form, "switch")}<button type="submit" class="link">Use another account</button>
        </form>
      </div>`,
  )

/** Anybody can write such a document, so that people see who has, and where the permission goes. */
function unregistered({ client: { metadataUrl }, redirectUri }: Ask): Html | null {
  if (metadataUrl === null) return null
  const here = isOwnMachine(redirectUri)
    ? " Any program on your computer can receive the permission: allow it only if you have just begun this in the app."
    : ""
  return html`<p class="problem">
    Nobody has registered this app here. Its name comes from <strong>${hostOf(metadataUrl)}</strong>.${here}
  </p>`
}

const describe = ({ audience }: Ask, scope: Scope): string =>
  (audience === "mcp" ? ofAssistants[scope] : undefined) ?? descriptions[scope]

/** A page that only says something, with a link to go on. */
export const noticePage = (title: string, message: string, link: Html): Html =>
  page(
    title,
    html`<p>${message}</p>
      <p>${link}</p>`,
  )

export const untrustedPage = (message: string): Html =>
  page(
    "This link does not work",
    html`<p>${message}</p>
      <p class="lesser">Go back to the app, and inform its operator.</p>`,
  )

export const expiredPage = (ask: Ask, query: string): Html =>
  page(
    "This page has expired",
    html`<p>
        For security, a form can be sent only from the page that showed it, and only for a limited time.
      </p>
      <p><a href="${actionOf({ query })}">Start again with ${ask.client.name}</a></p>`,
  )

const page = (title: string, body: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Kontor</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <p class="brand">Kontor</p>
          <section>
            <h1>${title}</h1>
            ${body}
          </section>
        </main>
      </body>
    </html>`

const hiddenFields = ({ token }: Form, action: string): Html =>
  html`<input type="hidden" name="form_token" value="${token}" /><input
      type="hidden"
      name="action"
      value="${action}"
    />`

const actionOf = ({ query }: Pick<Form, "query">) => `/oauth/authorize?${query}`

/** Returns the host of the redirect URI, which people can recognize. */
const hostOf = (uri: string): string => new URL(uri).host || new URL(uri).protocol

/**
 * Browsers check every redirect that follows a form against form-action, and nobody knows where a client redirects
 * people from its redirect URI. So form-action allows other sites, while everything else is blocked.
 */
const policy = (redirectUri: string | undefined) => {
  const own = redirectUri ? new URL(redirectUri).protocol : "https:"
  const targets = redirectUri ? ` ${[...new Set([own, "https:", "http:"])].join(" ")}` : ""
  return `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'${targets}; base-uri 'none'; frame-ancestors 'none'`
}

type Shown = {
  status: number
  cookie?: string | null
  redirectUri?: string
  headers?: Record<string, string>
}

export const pageResponse = (body: Html, { status, cookie, redirectUri, headers = {} }: Shown): Response =>
  new Response(toText(body), {
    status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(redirectUri),
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      ...(cookie ? { "set-cookie": cookie } : {}),
    },
  })
