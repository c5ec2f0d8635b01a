import { expect } from "bun:test"
import { join } from "node:path"

/** Makes a certificate for a name, and its key. Returns their paths. */
export function selfSigned(folder: string, name: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const made = Bun.spawnSync(
    ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`].concat(
      ["-keyout", key, "-out", cert],
    ),
    { stderr: "ignore" },
  )
  expect(made.exitCode).toBe(0)
  return { cert, key }
}
