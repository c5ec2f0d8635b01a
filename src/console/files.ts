import { packBrotli, packGzip } from "../lib/pack"
import { bundleConsole, placeOf, type ConsoleFile } from "./bundle"

/**
 * The files of the console. Run from source, they are bundled when the first of them is asked for; in the executable
 * scripts/build.ts puts the finished ones in the place of this module.
 */
export async function consoleFiles(): Promise<ConsoleFile[]> {
  return (await bundleConsole()).map((file) => ({
    ...placeOf(file),
    type: file.type,
    brotli: () => packBrotli(file.bytes, 5),
    gzip: () => packGzip(file.bytes),
  }))
}
