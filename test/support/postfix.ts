import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { apt } from "../../scripts/apt"
import { isLong } from "./long"

const program = "/usr/sbin/postfix"
const has = (): boolean => Bun.spawnSync(["test", "-x", program]).success

/** True where a Postfix of Debian can be started. The long form of the tests installs it. */
export const hasPostfix = ((): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false
  return has() || (isLong && apt("install", "-y", "--no-install-recommends", "postfix") && has())
})()

/** A user without rights, who owns the mailbox. */
const nobody = 65_534

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })

const services = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

/**
 * Starts a Postfix with files of its own, which takes mail for the domain shop.test with STARTTLS and puts it into a
 * mailbox. Its certificate is for localhost.
 */
export async function postfix() {
  const folder = mkdtempSync(join(tmpdir(), "kontor-postfix-"))
  chmodSync(folder, 0o755)
  for (const name of ["conf", "spool", "data", "box"]) mkdirSync(join(folder, name))
  chownSync(join(folder, "box"), nobody, nobody)
  const run = (command: string[]): void => {
    const { success, stderr } = Bun.spawnSync(command, { cwd: folder })
    if (!success) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`)
  }
  run(["chown", "postfix", join(folder, "data")])
  run(
    "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost".split(
      " ",
    ),
  )
  const port = await freePort()
  const main = {
    compatibility_level: "3.6",
    queue_directory: join(folder, "spool"),
    data_directory: join(folder, "data"),
    command_directory: "/usr/sbin",
    daemon_directory: "/usr/lib/postfix/sbin",
    maillog_file: join(folder, "log"),
    maillog_file_prefixes: "/tmp, /var",
    myhostname: "localhost",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    virtual_mailbox_domains: "shop.test",
    virtual_mailbox_base: join(folder, "box"),
    virtual_mailbox_maps: "static:inbox/",
    virtual_uid_maps: `static:${nobody}`,
    virtual_gid_maps: `static:${nobody}`,
    smtpd_tls_cert_file: join(folder, "cert.pem"),
    smtpd_tls_key_file: join(folder, "key.pem"),
    smtpd_tls_security_level: "encrypt",
    smtpd_recipient_restrictions: "permit_mynetworks, reject",
  }
  writeFileSync(
    join(folder, "conf", "main.cf"),
    Object.entries(main)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(""),
  )
  writeFileSync(
    join(folder, "conf", "master.cf"),
    `127.0.0.1:${port} inet n - n - - smtpd\n${services.trim()}\n`,
  )
  const configured = [program, "-c", join(folder, "conf")]
  run([...configured, "start"])
  return {
    port,
    certificate: join(folder, "cert.pem"),
    /** The messages in the mailbox. */
    inbox(): Buffer[] {
      try {
        const path = join(folder, "box", "inbox", "new")
        return readdirSync(path).map((name) => readFileSync(join(path, name)))
      } catch {
        return []
      }
    },
    log: () => readFileSync(join(folder, "log"), "utf8"),
    stop(): void {
      Bun.spawnSync([...configured, "stop"])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
