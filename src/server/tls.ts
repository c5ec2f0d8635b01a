import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Config } from "../config"
import { Unusable } from "../core/lib/refusal"

export type Tls = { cert: string; key: string; ciphers: string }

/**
 * The TLS 1.2 suites with forward secrecy and authenticated encryption. All suites of TLS 1.3 have both and are always
 * enabled. Older versions of TLS are disabled.
 */
const ciphers = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
  .flatMap((cipher) => [`ECDHE-ECDSA-${cipher}`, `ECDHE-RSA-${cipher}`])
  .join(":")

/** The certificate and key for https, or null. Refuses a pair that does not match. */
export function readTls({ tlsCert, tlsKey }: Config): Tls | null {
  if (tlsCert === null || tlsKey === null) return null
  const cert = readPem(tlsCert)
  const key = readPem(tlsKey)
  let isPair: boolean
  try {
    isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new Unusable(`${tlsCert} and ${tlsKey} cannot be read as a certificate and a private key in PEM.`)
  }
  if (!isPair)
    throw new Unusable(`The private key in ${tlsKey} does not match the certificate in ${tlsCert}.`)
  return { cert, key, ciphers }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new Unusable(`The file ${file} cannot be read.`)
  }
}
