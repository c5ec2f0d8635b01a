import type { Tx } from "../../db/writer"
import { ok } from "../../http/envelope"
import { ref } from "../../http/kind-schemas"
import { get, patch, put, type Route, type RouteBody } from "../../http/route"
import { etagOf } from "../../resource/tag"
import { readParams } from "../../resource/query"
import type { Input } from "../../resource/read"
import type { Expected } from "../../resource/tag"
import { settings } from "./model"
import type { SettingsService } from "./service"

const answer = { status: 200, description: "The settings.", schema: ref("Settings"), headers: ["ETag"] }
const body: RouteBody<Input> = {
  schema: ref("SettingsChange"),
  example: { companyName: "Nordlicht GmbH", timeZone: "Europe/Berlin" },
  isOptional: false,
  read: (input) => input,
}
const change = { may: settings.rights.write, tag: "settings", body, answer, refuses: [412] }

/** The settings record, for admins. */
export function settingsRoutes(service: SettingsService): Route[] {
  const update = (tx: Tx, given: { body: Input; expected: Expected }) =>
    service.update(tx, given.body, given.expected)
  return [
    get(
      "/settings",
      { may: settings.rights.read, id: "getSettings", tag: "settings", summary: "Get the settings", answer },
      ({ call, set }) => {
        readParams(call.query)
        set.headers["etag"] = etagOf(service.get())
        return ok(service.get())
      },
    ),
    put<Input>("/settings", { ...change, id: "updateSettings", summary: "Update the settings" }, update),
    patch<Input>("/settings", { ...change, id: "patchSettings", summary: "The same as PUT" }, update),
  ]
}
