import { existsSync } from "node:fs"
import { join } from "node:path"
import type { BunPlugin } from "bun"
import type { Menu, Resource } from "../../core/kind/define"

const source = join(import.meta.dir, "../..")
const order: readonly Menu["group"][] = ["sell", "stock", "reports", "developers", "settings"]

/**
 * Fills src/console/folders.ts when the console is bundled: the kinds of src/kinds.ts as data with their icons, and the
 * page.tsx of each folder, which loads when it is first opened. Of the icons, only those in use are bundled.
 */
export const fillFolders: BunPlugin = {
  name: "folders",
  setup(build) {
    build.onLoad({ filter: /src\/console\/folders\.ts$/ }, async () => {
      // The kinds are loaded only here, because most tests of the browser's code do not need them.
      const { kindList } = await import("../../kinds")
      return { contents: filledWith(kindList, await allIcons()), loader: "ts" }
    })
    build.onLoad({ filter: /src\/console\/parts\/icon-body\.ts$/ }, async () => {
      const all = await allIcons()
      const icons = await Bun.file(join(source, "console/parts/icons.tsx")).text()
      const used = [...icons.matchAll(/bodyOf\("([^"]*)"\)/g)].map(([, name = ""]) => name)
      const bodies = Object.fromEntries(used.map((name) => [name, bodyIn(all, name)]))
      return {
        contents: `const bodies = ${JSON.stringify(bodies)}\nexport const bodyOf = (name) => bodies[name]`,
        loader: "js",
      }
    })
  },
}
type Icons = Record<string, { body: string }>
const allIcons = async (): Promise<Icons> => (await import("@iconify-json/tabler/icons.json")).default.icons

function filledWith(kinds: readonly Resource[], icons: Icons): string {
  const shown = kinds
    .flatMap((kind) => (kind.menu && kind.names ? [{ kind, menu: kind.menu }] : []))
    .toSorted(
      ({ menu: a }, { menu: b }) => order.indexOf(a.group) - order.indexOf(b.group) || a.place - b.place,
    )
  const entries = shown.map(({ kind, menu: { icon, place: _place, ...menu } }) => {
    const { name, names, rights, fields } = kind
    const data = {
      ...menu,
      names,
      right: { area: rights.read.area, scope: rights.read.scope },
      hasTotal: ["total", "currency", "status"].every((field) => field in fields),
      isCancellable: "cancelReason" in fields,
    }
    const page = join(source, "shop", name, "page.tsx")
    const load = existsSync(page) ? `() => import(${JSON.stringify(page)})` : "null"
    return `${JSON.stringify(name)}: { ...${JSON.stringify(data)}, icon: icon(${JSON.stringify(bodyIn(icons, icon))}), page: ${load} },`
  })
  return `import { icon } from "./parts/icons"\nexport const folders = {${entries.join("\n")}}`
}

/** The paths of an icon. The width of the lines is an attribute of the whole icon. */
function bodyIn(icons: Icons, name: string): string {
  const found = icons[name]
  if (found === undefined) throw new Error(`Tabler has no icon ${name}.`)
  return found.body.replaceAll(' stroke-width="2"', "")
}
