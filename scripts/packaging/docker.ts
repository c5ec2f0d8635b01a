// Runs the steps of packaging/docker/Dockerfile on a copy of this system that exists only in memory, and then its
// command, as Docker would: as its user, without rights, with its variables only.
import { imageOf, type Image } from "./dockerfile"
import { openRoot, type Root } from "./root"

export const dockerfile = "packaging/docker/Dockerfile"

/** The files and folders that a build of the image gets. Everything else is left out. */
export async function contextFiles(): Promise<string[]> {
  const lines = (await Bun.file(`${dockerfile}.dockerignore`).text()).split("\n")
  const [everything, ...wanted] = lines.filter((line) => line !== "" && !line.startsWith("#"))
  if (everything !== "*" || !wanted.every((line) => line.startsWith("!")))
    throw new Error("The .dockerignore file must leave out everything except what it names.")
  return wanted.map((line) => line.slice(1))
}

export type Container = Root & { image: Image; isHealthy: () => boolean }

/** Starts a container of the image with more variables, as `docker run --env` sets them. */
export async function runImage(binary: string, env: Record<string, string>): Promise<Container> {
  const image = imageOf(await Bun.file(dockerfile).text())
  const start = startOf(image, env)
  const root = openRoot(
    [
      ...image.steps.filter((step) => !isInstalled(packagesOf(step))),
      `cd ${image.folder}`,
      `exec ${shell([...start, ...image.entryPoint, ...image.command])}`,
    ].join("\n"),
    binary,
  )
  return { ...root, image, isHealthy: () => root.run([...start, ...image.healthCheck]).code === 0 }
}

/** The packages that a step installs. */
export const packagesOf = (step: string): string[] =>
  /apt-get install (?:--\S+ )*([^&]+)/.exec(step)?.[1]?.trim().split(" ") ?? []

/** True if this system has these packages. A step that would install them is left out, because it takes a minute. */
const isInstalled = (packages: readonly string[]): boolean =>
  packages.length > 0 && Bun.spawnSync(["dpkg", "--status", ...packages]).success

/** How a command of the image starts. */
function startOf({ user, env }: Image, more: Record<string, string>): string[] {
  const variables = Object.entries({ PATH: "/usr/local/bin:/usr/bin:/bin", ...env, ...more })
  const asUser = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"]
  const withoutRights = ["--no-new-privs", "--bounding-set=-all"]
  return [...asUser, ...withoutRights, "env", "-i", ...variables.map(([name, value]) => `${name}=${value}`)]
}

const shell = (words: string[]): string => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")
