// Reads packaging/docker/Dockerfile, so that its steps can run on Debian without Docker.

/** What the last stage of a Dockerfile says. */
export type Image = {
  /** The image that it begins with. */
  from: string
  /** The steps that change files, as shell commands. */
  steps: string[]
  user: string
  folder: string
  env: Record<string, string>
  volumes: string[]
  healthCheck: string[]
  entryPoint: string[]
  command: string[]
}

/** The executable of the stage that builds it. In a copy of the system it is /kontor-built. */
const built = /^--from=build \/src\/dist\/kontor (\S+)$/

/** Reads the last stage. Refuses an instruction that it does not know, because a test would leave it out. */
export function imageOf(dockerfile: string): Image {
  const image: Image = {
    from: "",
    steps: [],
    user: "root",
    folder: "/",
    env: {},
    volumes: [],
    healthCheck: [],
    entryPoint: [],
    command: [],
  }
  for (const [name, rest] of lastStageOf(dockerfile)) read(image, name, rest)
  return image
}

function lastStageOf(dockerfile: string): [string, string][] {
  const lines = dockerfile.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  const instructions = lines.map((line): [string, string] => {
    const space = line.indexOf(" ")
    return [line.slice(0, space), line.slice(space + 1)]
  })
  return instructions.slice(instructions.findLastIndex(([name]) => name === "FROM"))
}

function read(image: Image, name: string, rest: string): void {
  if (name === "FROM") image.from = rest
  else if (name === "RUN") image.steps.push(rest)
  else if (name === "COPY") image.steps.push(copyStep(rest))
  else if (name === "USER") image.user = rest
  else if (name === "WORKDIR") image.folder = rest
  else if (name === "VOLUME") image.volumes.push(rest)
  else if (name === "ENTRYPOINT") image.entryPoint = JSON.parse(rest)
  else if (name === "CMD") image.command = JSON.parse(rest)
  else if (name === "HEALTHCHECK") image.healthCheck = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4))
  else if (name === "ENV") image.env[rest.slice(0, rest.indexOf("="))] = rest.slice(rest.indexOf("=") + 1)
  else if (name !== "EXPOSE" && name !== "STOPSIGNAL") throw new Error(`The instruction ${name} is unknown.`)
}

function copyStep(rest: string): string {
  const target = built.exec(rest)?.[1]
  if (target === undefined) throw new Error(`COPY ${rest} is not the copy of the executable.`)
  return `install -m 0755 /kontor-built ${target}`
}
