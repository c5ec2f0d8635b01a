declare module "@iconify-json/tabler/icons.json" {
  const set: { icons: Record<string, { body: string }> }
  export default set
}

declare module "*.sql" {
  const text: string
  export default text
}

declare module "*/browser/standalone.js" {
  const path: string
  export default path
}

declare module "*/docs-page/page.js" {
  const path: string
  export default path
}

declare module "*/docs-page/page.css" {
  const path: string
  export default path
}

declare module "*/pages.css" {
  const text: string
  export default text
}

declare module "*.md" {
  const path: string
  export default path
}

declare module "*.ttf" {
  const path: string
  export default path
}

declare module "*.icc" {
  const path: string
  export default path
}
