import set from "@iconify-json/tabler/icons.json"

/**
 * Returns the paths of an icon of Tabler. It is a macro: it runs in the bundler, so that of the set of 6,000 icons only
 * those in use are bundled.
 */
export function bodyOf(name: string): string {
  const found = set.icons[name]
  if (found === undefined) throw new Error(`Tabler has no icon ${name}.`)
  // The width of the lines is an attribute of the whole icon.
  return found.body.replaceAll(' stroke-width="2"', "")
}
