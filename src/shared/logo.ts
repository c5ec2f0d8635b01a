/** The types of a logo, and its largest size in bytes. */
export const logoTypes = ["image/png", "image/jpeg"] as const
export type LogoType = (typeof logoTypes)[number]
export const mostLogoBytes = 256 * 1024
