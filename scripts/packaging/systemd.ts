// Starts the service of packaging/systemd under a real systemd, in a copy of this system that exists only in memory.
import { openRoot, type Root } from "./root"

export const unitFile = "packaging/systemd/kontor@.service"

/** The program that is process 1 of a system with systemd; null if it is not installed. */
export const systemdPath = (): string | null =>
  ["/lib/systemd/systemd", "/usr/lib/systemd/systemd"].find((path) => Bun.file(path).size > 0) ?? null

/** Boots systemd with nothing but the instance `shop` of the service, with these options in its file. */
export async function bootWith(binary: string, options: Record<string, string>): Promise<Root> {
  const unit = await Bun.file(unitFile).text()
  const env = Object.entries(options).map(([name, value]) => `${name}="${value}"\n`)
  return openRoot(
    `install -m 0755 /kontor-built /usr/local/bin/kontor
mkdir -p /etc/kontor
${write("/etc/kontor/shop.env", env.join(""))}
useradd --system --home-dir /var/lib/kontor/shop --shell /usr/sbin/nologin kontor-shop
# Only this service: what else systemd starts could change the machine.
rm -rf /etc/systemd/system /etc/systemd/system-generators /lib/systemd/system-generators /lib/systemd/system/*.wants
mkdir -p /etc/systemd/system/kontor@.service.d
for name in sysinit basic network-online time-sync shutdown; do
  printf '[Unit]\\nDefaultDependencies=no\\n' > "/etc/systemd/system/$name.target"
done
${write("/etc/systemd/system/only.target", "[Unit]\nDefaultDependencies=no\nWants=kontor@shop.service\n")}
${write("/etc/systemd/system/kontor@.service", unit)}
# There is no journal.
${write("/etc/systemd/system/kontor@.service.d/log.conf", "[Service]\nStandardOutput=file:/run/kontor.log\nStandardError=file:/run/kontor.log\n")}
exec env -i container=other ${systemdPath()} --system --unit=only.target --show-status=no
`,
    binary,
  )
}

const write = (path: string, text: string): string => `cat > '${path}' <<'END-OF-FILE'\n${text}\nEND-OF-FILE`
