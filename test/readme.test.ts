import { expect, test } from "bun:test"
import { commands } from "../src/cli/commands"
import { options } from "../src/config"
import { diagrams, withDiagrams } from "../scripts/diagrams"
import { routesPage } from "../scripts/routes"

const readme = await Bun.file(`${import.meta.dir}/../README.md`).text()

test("the state diagrams match the tables; `bun scripts/diagrams.ts` updates them", () => {
  expect(withDiagrams(readme) === readme).toBeTrue()
  for (const diagram of Object.values(diagrams)) expect(readme.includes(diagram)).toBeTrue()
})

test("every command, every option and every variable is in the README", () => {
  for (const { name } of commands)
    expect([
      `kontor ${name === "version" || name === "help" ? "openapi" : name}`,
      readme.includes(`kontor ${name === "version" || name === "help" ? "openapi" : name}`),
    ]).toEqual([`kontor ${name === "version" || name === "help" ? "openapi" : name}`, true])
  for (const { flag, env } of Object.values(options)) {
    expect([`--${flag}`, readme.includes(`--${flag}`)]).toEqual([`--${flag}`, true])
    expect([env, readme.includes(env)]).toEqual([env, true])
  }
})

test("every dependency is in the README", async () => {
  const { dependencies, devDependencies } = await Bun.file(`${import.meta.dir}/../package.json`).json()
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    expect([name, readme.includes(name)]).toEqual([name, true])
})

test("the list of routes is up to date; `bun scripts/routes.ts` updates it", async () => {
  expect(await Bun.file(`${import.meta.dir}/../docs/routes.md`).text()).toBe(routesPage())
})
