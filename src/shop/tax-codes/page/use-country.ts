import { presetCountries } from "../../../shared/tax-presets"
import { useMay, useRead } from "../../../console/api/hooks"
import type { Settings } from "../../../console/api/types"
import { locales } from "../../../console/texts"

/** Returns the country whose tax codes are offered first: that of the company, or else of the browser; null if neither has any. */
export function useCountry(): string | null {
  // Only admins may read the settings.
  const { data } = useRead<Settings>("/settings", useMay()("administration", "admin"))
  const regions = locales.map((locale) => new Intl.Locale(locale).region)
  return [data?.address?.country, ...regions].find((each) => each && presetCountries.includes(each)) ?? null
}
