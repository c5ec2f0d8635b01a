declare module "*.sql" {
  const text: string
  export default text
}

declare module "*/browser/standalone.js" {
  const path: string
  export default path
}

declare module "*/web/setup.js" {
  const text: string
  export default text
}

declare module "*/page.css" {
  const text: string
  export default text
}

declare module "*/web/setup.css" {
  const text: string
  export default text
}
