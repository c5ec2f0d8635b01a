import { etagOfBytes } from "../../core/http/answer/file-answer"
import { fillFolders } from "./folders"

/** One file of the console, in each encoding in which it is sent. */
export type ConsoleFile = {
  /** The path of the URL. */
  path: string
  type: string
  etag: string
  brotli: () => Promise<Uint8Array<ArrayBuffer>>
  gzip: () => Promise<Uint8Array<ArrayBuffer>>
}

/** A file as the bundler writes it. */
export type BundledFile = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }

export const assetFolder = "/console/assets/"
const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
}

/**
 * Bundles the browser code: index.html, and files with a hash of their content in their names. `sources` are the paths
 * of the files that they were made from.
 */
export async function bundleConsole(): Promise<{ files: BundledFile[]; sources: string[] }> {
  const built = await Bun.build({
    entrypoints: [`${import.meta.dir}/../index.html`],
    target: "browser",
    plugins: [fillFolders],
    splitting: true,
    minify: true,
    publicPath: assetFolder,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  })
  if (!built.success) throw new Error(`The console cannot be bundled:\n${built.logs.map(String).join("\n")}`)
  const files = await Promise.all(
    built.outputs.map(async (output) => {
      const name = output.path.split("/").at(-1) ?? ""
      const isPage = name.endsWith(".html")
      return {
        name: isPage ? "index.html" : name,
        type: types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
        bytes: new Uint8Array(await output.arrayBuffer()),
      }
    }),
  )
  return { files, sources: Object.keys(built.metafile?.inputs ?? {}) }
}

/** The URL path of a file of the console, and the ETag of its version. */
export const placeOf = ({ name, bytes }: BundledFile) => ({
  path: name === "index.html" ? "/console" : assetFolder + name,
  etag: etagOfBytes(bytes),
})
