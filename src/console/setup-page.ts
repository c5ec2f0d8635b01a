import { Elysia } from "elysia"
import style from "./web/setup.css" with { type: "text" }
import page from "./web/setup.html" with { type: "text" }
import script from "./web/setup.js" with { type: "text" }

// With type "text" it is its source; the types know only of HTML that Bun bundles.
const html = page as unknown as string
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const file = (text: string, type: string) =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
    },
  })

/** Where the link that an empty Kontor prints leads: a form that makes the first admin. */
export const setupPage = new Elysia({ name: "setup-page" })
  .get("/setup", () => file(html, "text/html"), { detail: { hide: true } })
  .get("/setup.js", () => file(script, "text/javascript"), { detail: { hide: true } })
  .get("/setup.css", () => file(style, "text/css"), { detail: { hide: true } })
