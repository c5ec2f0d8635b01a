import type { App } from "../route/app"

/** Tells browsers to use only https, when this server itself uses https. */
export const transportSecurity = (isSecure: boolean) => (app: App) => {
  if (!isSecure) return app
  return app.onRequest(function setHsts({ set }) {
    set.headers["strict-transport-security"] = "max-age=31536000"
  })
}
