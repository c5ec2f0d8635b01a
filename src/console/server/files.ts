import { packBrotli, packGzip } from "../../core/lib/pack"
import { bundleConsole, placeOf, type ConsoleFile } from "./bundle"

/**
 * Returns the files of the console. When run from source, they are bundled on the first request. In the executable,
 * scripts/build.ts replaces this module with the finished files.
 */
export async function consoleFiles(): Promise<ConsoleFile[]> {
  return (await bundleConsole()).files.map((file) => ({
    ...placeOf(file),
    type: file.type,
    brotli: () => packBrotli(file.bytes, 5),
    gzip: () => packGzip(file.bytes),
  }))
}
