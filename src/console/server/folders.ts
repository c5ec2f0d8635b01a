import { existsSync } from "node:fs"
import { join } from "node:path"
import type { BunPlugin } from "bun"
import { isBusiness, isNumbered, keyOfName, type Menu, type Resource } from "../../core/kind/define"
import type { Field } from "../../core/kind/field"
import { countedFields } from "../../core/store/values"
import type { OwnRefusal } from "../../core/lib/refusal"
import type { EventKind } from "../../office/events/model"

const source = join(import.meta.dir, "../..")
const order: readonly Menu["group"][] = ["sell", "stock", "reports", "settings", "developers"]

/**
 * Fills src/console/folders.ts when the console is bundled: the kinds of src/kinds.ts as data with their icons, and the
 * page.tsx of each folder, which loads when it is first opened. Of the icons, only those in use are bundled.
 */
export const fillFolders: BunPlugin = {
  name: "folders",
  setup(build) {
    build.onLoad({ filter: /src\/console\/folders\.ts$/ }, async () => {
      // The kinds are loaded only here, because most tests of the browser's code do not need them.
      const { kindList, ownRefusals } = await import("../../kinds")
      const { eventKindsOf } = await import("../../office/events/model")
      const shown = inMenu(kindList)
      const contents = [
        filledWith(shown, await allIcons()),
        `export const eventTypes = ${JSON.stringify(typesOf(eventKindsOf(shown)))}`,
        `export const numbers = ${JSON.stringify(numbersOf(kindList))}`,
        `export const refusals = ${JSON.stringify(inGerman(ownRefusals))}`,
      ]
      return { contents: contents.join("\n"), loader: "ts" }
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

type Shown = Resource & Required<Pick<Resource, "menu" | "names">>

/** The kinds that have a page, in the order of the menu. */
const inMenu = (kinds: readonly Resource[]): Shown[] =>
  kinds
    .filter((kind): kind is Shown => kind.menu !== undefined && kind.names !== undefined)
    .toSorted(
      ({ menu: a }, { menu: b }) => order.indexOf(a.group) - order.indexOf(b.group) || a.place - b.place,
    )

const typesOf = (kinds: readonly EventKind[]) =>
  Object.fromEntries(kinds.map(({ name, types }) => [name, types.map((type) => type.slice(name.length + 1))]))

const numbersOf = (kinds: readonly Resource[]) =>
  Object.fromEntries(
    kinds
      .filter(isNumbered)
      .map(({ name, numbers: { foreign: _foreign, ...numbers } }) => [keyOfName(name), numbers]),
  )

const inGerman = (refusals: readonly OwnRefusal[]) =>
  Object.fromEntries(refusals.map(({ code, de }) => [code, de]))

/** The field by which people know a record; null if there is none. */
const nameFieldOf = ({ found, fields }: Resource): string | null =>
  found
    ? found[found.showsCode ? "code" : "title"]
    : (["name", "customerName"].find((name) => name in fields) ?? null)

/** The values of the fields that have one of a few. */
const choicesOf = (fields: Record<string, Field>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind, schema }]) =>
      kind === "boolean"
        ? [[name, ["true", "false"]]]
        : kind === "status" || kind === "choice"
          ? [[name, (schema as { enum?: string[] }).enum ?? []]]
          : [],
    ),
  )

function filledWith(kinds: readonly Shown[], icons: Icons): string {
  const entries = kinds.map((kind) => {
    const { name, names, rights, fields, colours = {} } = kind
    const { icon, place: _place, ...menu } = kind.menu
    const data = {
      ...menu,
      names: { en: names.en, de: names.de },
      nameField: nameFieldOf(kind),
      colours,
      choices: choicesOf(fields),
      counted: isBusiness(kind) ? countedFields(kind) : [],
      right: { area: rights.read.area, scope: rights.read.scope },
      writers: rights.write.roles ?? null,
      hasTotal: ["total", "currency", "status"].every((field) => field in fields),
      hasLines: Object.values(fields).some(({ lines }) => lines !== undefined),
      isCancellable: "cancelReason" in fields,
      hasLink: kind.mailPlaceholders?.includes("link") ?? false,
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
