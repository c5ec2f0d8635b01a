import type { Smtp } from "../../../settings/smtp-field"

/** What a provider of mail prescribes. Only a shop with a server of its own has to know it. */
export type Preset = Pick<Smtp, "host" | "port" | "security" | "auth"> & {
  oauth?: Partial<Smtp["oauth"]>
}

export const presets = {
  microsoft: {
    host: "smtp.office365.com",
    port: 587,
    security: "starttls",
    auth: "oauth2",
    oauth: { scope: "https://outlook.office365.com/.default" },
  },
  google: {
    host: "smtp.gmail.com",
    port: 465,
    security: "tls",
    auth: "oauth2",
    oauth: { tokenUrl: "https://oauth2.googleapis.com/token", scope: "https://mail.google.com/" },
  },
  googlePassword: { host: "smtp.gmail.com", port: 465, security: "tls", auth: "password" },
  ionos: { host: "smtp.ionos.de", port: 465, security: "tls", auth: "password" },
  strato: { host: "smtp.strato.de", port: 465, security: "tls", auth: "password" },
  other: { host: "", port: 587, security: "starttls", auth: "password" },
} satisfies Record<string, Preset>

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as PresetName[]

type Known = { host: string | null; auth: Smtp["auth"] }

/** Returns the provider of a server, by its name and how it signs in. */
export const presetOf = ({ host, auth }: Known): PresetName =>
  presetNames.find(
    (name) => presets[name].host !== "" && presets[name].host === host && presets[name].auth === auth,
  ) ?? "other"

const microsoftUrl = /^https:\/\/login\.microsoftonline\.com\/([^/]+)\/oauth2\/v2\.0\/token$/

/** The directory of Microsoft in the address of the tokens; empty if there is none. */
export const tenantOf = (tokenUrl: string): string => microsoftUrl.exec(tokenUrl)?.[1] ?? ""

export const tokenUrlOf = (tenant: string): string =>
  tenant.trim() === ""
    ? ""
    : `https://login.microsoftonline.com/${encodeURIComponent(tenant.trim())}/oauth2/v2.0/token`
