// What is made before the executable, and embedded in it.
import { resolve } from "node:path"
import { packConsole, type PackedConsole } from "./console"
import { packDemo } from "./demo"

/** `demo` is the source of a module. */
export type Packed = { console: PackedConsole; demo: string }

export const pack = async (): Promise<Packed> => ({
  console: await packConsole(resolve("dist/console")),
  demo: await packDemo(resolve("dist/demo")),
})
