declare module "*.sql" {
  const text: string
  export default text
}

declare module "*/browser/standalone.js" {
  const path: string
  export default path
}

declare module "*/page.css" {
  const text: string
  export default text
}

declare module "*/pages.css" {
  const text: string
  export default text
}
