import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Config } from "../config"
import { Unusable } from "../lib/unusable"

export type Tls = { cert: string; key: string; ciphers: string }

/**
 * For TLS 1.2: only suites whose keys are of no use to whoever gets hold of the private key later, and that cannot be
 * altered on the way. Those of TLS 1.3 are all like that and always there; older versions are not spoken.
 */
const ciphers = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
  .flatMap((cipher) => [`ECDHE-ECDSA-${cipher}`, `ECDHE-RSA-${cipher}`])
  .join(":")

/** The certificate and key to answer https with, or null without. Refuses a pair that does not fit. */
export function readTls({ tlsCert, tlsKey }: Config): Tls | null {
  if (tlsCert === null || tlsKey === null) return null
  const cert = readPem(tlsCert)
  const key = readPem(tlsKey)
  let fits: boolean
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new Unusable(`${tlsCert} and ${tlsKey} cannot be read as a certificate and a private key in PEM.`)
  }
  if (!fits) throw new Unusable(`The private key in ${tlsKey} does not fit the certificate in ${tlsCert}.`)
  return { cert, key, ciphers }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new Unusable(`The file ${file} cannot be read.`)
  }
}
