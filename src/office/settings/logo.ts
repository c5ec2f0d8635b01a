import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import type { Uploaded } from "../../core/http/request/body"
import { readImage } from "../../core/lib/image"
import { invalid, Refusal } from "../../core/lib/refusal"
import type { Expected } from "../../core/kind/tag"
import {
  allLogos,
  type AnsweredSettings,
  findLogo,
  keepLogo,
  type Logo,
  type SettingsService,
} from "./service"

const mostPixels = 4_000

/** The logo of the company. Logos are kept by their hash, because issued documents show the logo of their time. */
export const logoService = (db: Database, settings: SettingsService) => ({
  get(): Logo {
    const { logo: hash } = settings.get()
    const found = hash === null ? null : findLogo(db, hash)
    if (found) return found
    throw new Refusal("NOT_FOUND", "There is no logo.", { params: { kind: "settings", id: "logo" } })
  },

  /** Lists all logos, also those that only issued documents show. */
  all: () => allLogos(db),

  find: (hash: string): Logo | null => findLogo(db, hash),

  put(tx: Tx, { type, bytes }: Uploaded, expected: Expected): AnsweredSettings {
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
    keepLogo(db, { hash, type, bytes })
    return settings.setLogo(tx, hash, expected)
  },

  /** Removes the logo from the settings. The image is kept, because issued documents may show it. */
  remove: (tx: Tx, expected: Expected): AnsweredSettings => settings.setLogo(tx, null, expected),
})

export type LogoService = ReturnType<typeof logoService>

/** Refuses bytes that are not an image of the type that the request names, or that is too large to print. */
export function assertLogo({ type, bytes }: Uploaded): void {
  const image = readImage(bytes)
  if (image === null || image.type !== type)
    throw invalid("body", "FORMAT", `must be an image of the type ${type}`, { format: "image" })
  if (image.isCmyk)
    throw invalid(
      "body",
      "FORMAT",
      "must have the colors of screens (RGB) or gray, not those of printers (CMYK)",
      {
        format: "image",
      },
    )
  const size = Math.max(image.width, image.height)
  if (Math.min(image.width, image.height) < 1 || size > mostPixels)
    throw invalid("body", "FORMAT", `must have 1 to ${mostPixels} pixels in width and height`, {
      format: "image",
      max: mostPixels,
    })
}
