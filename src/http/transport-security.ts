import { Elysia } from "elysia"

/** Tells browsers to come back over https only, where we answer https ourselves. */
export function transportSecurity(isSecure: boolean) {
  const plugin = new Elysia({ name: "transport-security" })
  if (!isSecure) return plugin
  return plugin.onRequest(function promiseHttps({ set }) {
    set.headers["strict-transport-security"] = "max-age=31536000"
  })
}
