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
import type { FieldError } from "../../core/lib/refusal"
import { logoTypes, mostLogoBytes } from "../../shared/suggestions"
import { adminRights } from "../../shared/rights"
import { assertLogo, type LogoService } from "./logo"
import type { Network } from "../webhooks/addresses"
import { numberSeries } from "./numbers"
import { takeSecrets } from "./secrets"
import { providerErrors, smtpErrors } from "./smtp-addresses"
import type { SettingsService } from "./service"

const answer = { status: 200, description: "The settings.", schema: ref("Settings"), headers: ["ETag"] }
/** A body, and the errors of the addresses that it leads to. */
type Given = { input: Input; errors: FieldError[] }

const bodyOf = (service: SettingsService, network: Network): RouteBody<Given> => ({
  schema: ref("SettingsChange"),
  example: { companyName: "Nordlicht GmbH", timeZone: "Europe/Berlin" },
  isOptional: false,
  // The errors of secrets are those of the write.
  async read(input) {
    const { input: open } = takeSecrets(input)
    const errors = await smtpErrors(open, service.get().smtp, network)
    return { input, errors: [...errors, ...(await providerErrors(open, network))] }
  },
})

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
export function settingsRoutes(service: SettingsService, logos: LogoService, network: Network): Route[] {
  const update = (tx: Tx, { body, expected }: { body: Given; expected: Expected }) =>
    service.update(tx, body.input, expected, body.errors)
  const body = bodyOf(service, network)
  const change = { may: adminRights.write, tag: "settings", body, answer, refuses: [412] }
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
    put<Given>("/settings", { ...change, id: "updateSettings", summary: "Update the settings" }, update),
    patch<Given>("/settings", { ...change, id: "patchSettings", summary: "The same as PUT" }, update),
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
