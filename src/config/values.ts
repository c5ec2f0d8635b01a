import type { BlockList } from "node:net"
import { networks } from "../core/http/request/address"
import { logLevels, type LogLevel } from "../core/lib/process/log"
import { toTimestamp } from "../shared/dates"
import { standardPlans, type Plans } from "../shared/plans"

export const hour = 60 * 60_000

const words = (value: string): string[] =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")

/** Parses a duration and returns it in milliseconds. */
export function readDuration(value: string): number {
  const [, number, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(value) ?? []
  if (!number || !unit)
    throw new Error(`must be a duration such as 30m, 24h or 7d, not ${JSON.stringify(value)}.`)
  return Number(number) * ({ m: hour / 60, h: hour, d: 24 * hour }[unit] ?? hour)
}

export function readCount(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value))
    throw new Error(`must be a number from 1 to 9999, not ${JSON.stringify(value)}.`)
  return Number(value)
}

export function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : NaN
  if (!(port <= 65_535)) throw new Error(`must be a port from 0 to 65535, not ${JSON.stringify(value)}.`)
  return port
}

export function readSeed(value: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(value))
    throw new Error(`must be a whole number from 0 to 999999999, not ${JSON.stringify(value)}.`)
  return Number(value)
}

/** The years of a demo whose past and future can be shown. */
const [firstYear, lastYear] = ["2000", "2100"]

export function readTime(value: string): string {
  const time = toTimestamp(value)
  if (time === null || time < firstYear || time > lastYear)
    throw new Error(
      `must be a time from ${firstYear} to ${Number(lastYear) - 1} such as 2027-01-04T09:00:00Z, not ${JSON.stringify(value)}.`,
    )
  return time
}

/** Returns the origin of an http or https URL that has nothing else, or null. */
function originOf(value: string): string | null {
  if (!URL.canParse(value)) return null
  const url = new URL(value)
  const isPlain = url.pathname === "/" && !url.search && !url.hash && !url.username
  return isPlain && /^https?:$/.test(url.protocol) ? url.origin : null
}

export function readPublicUrl(value: string): string {
  const origin = originOf(value)
  if (origin === null)
    throw new Error(`must be an http or https URL without a path, not ${JSON.stringify(value)}.`)
  return origin
}

/** Parses the URL of S3-compatible storage. */
export function readEndpoint(value: string): string {
  const origin = originOf(value)
  if (origin === null) throw new Error("must be an http or https URL without a path, a user and a password.")
  return origin
}

export function readRegion(value: string): string {
  if (!/^[A-Za-z0-9-]{1,50}$/.test(value))
    throw new Error(`must be the name of a region such as eu-central-1, not ${JSON.stringify(value)}.`)
  return value
}

export function readHosts(value: string): string[] {
  const names = words(value)
  for (const name of names)
    if (!/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(name))
      throw new Error(
        `must list host names such as kontor.example, without a port, not ${JSON.stringify(name)}.`,
      )
  return names
}

/** Stands for all origins. */
export const anyOrigin = "*"

export function readOrigins(value: string): string[] {
  const origins = words(value)
  for (const origin of origins)
    if (origin !== anyOrigin && (!URL.canParse(origin) || new URL(origin).origin !== origin))
      throw new Error(`must list origins such as https://shop.example, not ${JSON.stringify(origin)}.`)
  return origins
}

export function readNetworks(value: string): BlockList {
  const list = networks(words(value))
  if (!list)
    throw new Error(`must list addresses or networks such as 10.0.0.0/8, not ${JSON.stringify(value)}.`)
  return list
}

export function readPlans(value: string): Plans {
  const plans = { ...standardPlans }
  for (const entry of words(value)) {
    const [, name, perMinute, perDay] = /^([a-z]+)=(\d{1,9}|unlimited):(\d{1,9}|unlimited)$/.exec(entry) ?? []
    if (!name || !Object.hasOwn(plans, name) || perMinute === "0" || perDay === "0")
      throw new Error(
        `must list plans such as pro=300:100000 or enterprise=1000:unlimited, not ${JSON.stringify(entry)}.`,
      )
    const number = (text: string | undefined) => (text === "unlimited" ? null : Number(text))
    plans[name as keyof Plans] = { perMinute: number(perMinute), perDay: number(perDay) }
  }
  return plans
}

/** The token must not appear in an error. A shorter one can be guessed. */
export function readMetricsToken(value: string): string {
  if (!/^[\x21-\x7e]{20,200}$/.test(value))
    throw new Error("must have 20 to 200 letters, digits and signs, without spaces.")
  return value
}

export function readSwitch(value: string): boolean {
  if (/^(1|true|yes)$/i.test(value)) return true
  if (/^(0|false|no)$/i.test(value)) return false
  throw new Error(`must be true or false, not ${JSON.stringify(value)}.`)
}

export function readLogLevel(value: string): LogLevel {
  const level = logLevels.find((each) => each === value)
  if (!level) throw new Error(`must be one of ${logLevels.join(", ")}, not ${JSON.stringify(value)}.`)
  return level
}
