import type { App } from "./app"

/** Tells browsers to come back over https only, where we answer https ourselves. */
export const transportSecurity = (isSecure: boolean) => (app: App) => {
  if (!isSecure) return app
  return app.onRequest(function promiseHttps({ set }) {
    set.headers["strict-transport-security"] = "max-age=31536000"
  })
}
