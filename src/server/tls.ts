import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { createSecureContext } from "node:tls"
import type { Config } from "../config"
import type { Log } from "../core/lib/process/log"
import { messageOf, Unusable } from "../core/lib/refusal"
import { timestampOf } from "../shared/dates"
import type { Listener } from "./listener"

/** `until` is the time until which the certificate is valid, in milliseconds since 1970. */
export type Tls = { cert: string; key: string; ciphers: string; until: number }

/**
 * The TLS 1.2 suites with forward secrecy and authenticated encryption. All suites of TLS 1.3 have both and are always
 * enabled. Older versions of TLS are disabled.
 */
const ciphers = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
  .flatMap((cipher) => [`ECDHE-ECDSA-${cipher}`, `ECDHE-RSA-${cipher}`])
  .join(":")

/** The certificate and key for https, or null. Refuses a pair that does not match. */
export function readTls({ tlsCert, tlsKey }: Pick<Config, "tlsCert" | "tlsKey">): Tls | null {
  if (tlsCert === null || tlsKey === null) return null
  const cert = readPem(tlsCert)
  const key = readPem(tlsKey)
  let isPair: boolean
  let until: number
  try {
    const certificate = new X509Certificate(cert)
    isPair = certificate.checkPrivateKey(createPrivateKey(key))
    until = certificate.validToDate.getTime()
    // What follows the certificate must be readable too.
    if (isPair) createSecureContext({ cert, key, ciphers })
  } catch {
    throw new Unusable(`${tlsCert} and ${tlsKey} cannot be read as a certificate and a private key in PEM.`)
  }
  if (!isPair)
    throw new Unusable(`The private key in ${tlsKey} does not match the certificate in ${tlsCert}.`)
  return { cert, key, ciphers, until }
}

export type Reload = Pick<Config, "tlsCert" | "tlsKey"> & { listener: Listener; log: Log }

/** Reads the certificate again and uses it. One that cannot be read or used changes nothing, except for a line in the log. */
export async function reloadCertificate({ tlsCert, tlsKey, listener, log }: Reload): Promise<void> {
  try {
    const next = readTls({ tlsCert, tlsKey })
    const before = listener.certificate()
    if (next === null) return log.info("There is nothing to reload: the server has no TLS certificate.")
    const about = { file: tlsCert, validUntil: timestampOf(next.until) }
    if (next.cert === before?.cert && next.key === before.key)
      return log.info("The TLS certificate has not changed.", about)
    await listener.useCertificate(next)
    log.info("The TLS certificate was reloaded. Open connections go on.", about)
  } catch (error) {
    log.error("The TLS certificate could not be reloaded. The one before is still used.", {
      error: messageOf(error),
    })
  }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new Unusable(`The file ${file} cannot be read.`)
  }
}
