import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import { type Call } from "../../http/call"
import { ifMatch } from "../../http/crud-operations"
import type { Door } from "../../http/crud-routes"
import { ok } from "../../http/envelope"
import { enveloped, operation, ref } from "../../http/operation"
import type { Right } from "../../http/caller"
import { etagOf, readIfMatch } from "../../http/write"
import { readParams } from "../../resource/query"
import type { SettingsService } from "./service"

const reading: Right = { area: "administration", scope: "admin" }
const writing: Right = { ...reading, personal: true }
type Answer = { headers: Record<string, string | number> }

/** The one record of how the instance is set up, for admins. */
export function settingsRoutes(settings: SettingsService, { commit }: Door) {
  const update = async (call: Call, request: Request, set: Answer) => {
    const expected = readIfMatch(request)
    const input = await readBody(request)
    const { value, warnings } = await commit(call, (tx) => settings.update(tx, input, expected))
    set.headers["etag"] = etagOf(value)
    return ok(value, warnings)
  }
  return (app: App) =>
    app
      .get(
        "/api/v1/settings",
        ({ call, set }) => {
          readParams(call.query)
          set.headers["etag"] = etagOf(settings.get())
          return ok(settings.get())
        },
        { may: reading, detail: get },
      )
      .put("/api/v1/settings", ({ call, request, set }) => update(call, request, set), {
        may: writing,
        parse: "none",
        detail: put,
      })
      .patch("/api/v1/settings", ({ call, request, set }) => update(call, request, set), {
        may: writing,
        parse: "none",
        detail: patch,
      })
}

const answers = {
  status: 200,
  description: "The settings.",
  schema: enveloped(ref("Settings")),
  headers: ["ETag"],
}
const change = {
  tag: "settings",
  answers,
  parameters: [ifMatch],
  body: {
    schema: ref("SettingsChange"),
    example: { companyName: "Nordlicht GmbH", timeZone: "Europe/Berlin" },
  },
  refuses: [412],
}
const get = operation(() => ({ id: "getSettings", summary: "Get the settings", tag: "settings", answers }))
const put = operation(() => ({ ...change, id: "updateSettings", summary: "Change the settings" }))
const patch = operation(() => ({ ...change, id: "patchSettings", summary: "The same as PUT" }))
