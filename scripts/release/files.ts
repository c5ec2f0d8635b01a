// The names of the released files.
import { version } from "../../src/version"
import type { Target } from "../build/targets"

export const releaseFolder = "release"
export const sumsName = "SHA256SUMS"
export const sbomName = `kontor-${version}.cdx.json`
export const nameOf = ({ name, suffix }: Target): string => `kontor-${version}-${name}${suffix}`
