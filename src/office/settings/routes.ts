import { Type } from "@sinclair/typebox"
import type { Tx } from "../../core/write/writer"
import { ok } from "../../core/http/answer/envelope"
import { ref } from "../../core/http/openapi/kind-schemas"
import type { Uploaded } from "../../core/http/request/body"
import { get, patch, put, remove, type Route, type RouteBody } from "../../core/http/route/route"
import { etagOf } from "../../core/kind/tag"
import { readParams } from "../../core/kind/query"
import type { Input } from "../../core/kind/read"
import type { Expected } from "../../core/kind/tag"
import { logoTypes, mostLogoBytes } from "../../shared/suggestions"
import { adminRights } from "../../shared/rights"
import { assertLogo, type LogoService } from "./logo"
import { numberSeries } from "./numbers"
import type { SettingsService } from "./service"

const answer = { status: 200, description: "The settings.", schema: ref("Settings"), headers: ["ETag"] }
const body: RouteBody<Input> = {
  schema: ref("SettingsChange"),
  example: { companyName: "Nordlicht GmbH", timeZone: "Europe/Berlin" },
  isOptional: false,
  read: (input) => input,
}
const change = { may: adminRights.write, tag: "settings", body, answer, refuses: [412] }

/** Blocks everything in the image, in case a browser shows it as a page. */
const policy = "default-src 'none'; sandbox"

/** The logo of the company. Everybody who signs in may see it. */
const logoRoutes = (logos: LogoService): Route[] => [
  get(
    "/settings/logo",
    {
      may: { area: "search", scope: "read" },
      id: "getLogo",
      tag: "settings",
      summary: "Get the logo of the company",
      description: "For every caller who may read, because documents show it.",
      answer: {
        status: 200,
        description: "The image.",
        type: "image/*",
        schema: Type.String({ format: "binary" }),
      },
      refuses: [404],
    },
    ({ call, set }) => {
      readParams(call.query)
      const { type, bytes } = logos.get()
      Object.assign(set.headers, { "content-type": type, "content-security-policy": policy })
      return new Response(bytes as Uint8Array<ArrayBuffer>)
    },
  ),
  put<Uploaded>(
    "/settings/logo",
    {
      may: adminRights.write,
      id: "putLogo",
      tag: "settings",
      summary: "Set the logo of the company",
      description:
        "The body is the image: PNG or JPEG, at most 256 KiB and 4,000 × 4,000 pixels. Documents that were issued before keep their logo.",
      upload: { types: logoTypes, mostBytes: mostLogoBytes, check: assertLogo },
      answer,
      refuses: [412],
    },
    (tx, { body: image, expected }) => logos.put(tx, image, expected),
  ),
  remove(
    "/settings/logo",
    {
      may: adminRights.remove,
      id: "deleteLogo",
      tag: "settings",
      summary: "Remove the logo of the company",
      answer: { status: 204, description: "New documents have no logo." },
      refuses: [412],
    },
    (tx, { expected }) => void logos.remove(tx, expected),
  ),
]

/** The settings record, for admins. */
export function settingsRoutes(service: SettingsService, logos: LogoService): Route[] {
  const update = (tx: Tx, given: { body: Input; expected: Expected }) =>
    service.update(tx, given.body, given.expected)
  return [
    get(
      "/settings",
      { may: adminRights.read, id: "getSettings", tag: "settings", summary: "Get the settings", answer },
      ({ call, set }) => {
        readParams(call.query)
        const settings = service.show()
        set.headers["etag"] = etagOf(settings)
        return ok(settings)
      },
    ),
    put<Input>("/settings", { ...change, id: "updateSettings", summary: "Update the settings" }, update),
    patch<Input>("/settings", { ...change, id: "patchSettings", summary: "The same as PUT" }, update),
    get(
      "/settings/number-series",
      {
        may: adminRights.read,
        id: "listNumberSeries",
        tag: "settings",
        summary: "List the counters of numbers",
        description:
          "The current series of each kind: that of number formats with a year, and that of formats without.",
        answer: {
          status: 200,
          description: "The series.",
          schema: Type.Array(numberSeries(service.numbered)),
        },
      },
      ({ call }) => {
        readParams(call.query)
        return ok(service.numberSeries())
      },
    ),
    ...logoRoutes(logos),
  ]
}
