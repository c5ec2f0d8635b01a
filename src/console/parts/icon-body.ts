/**
 * Returns the paths of an icon of Tabler. src/console/server/folders.ts replaces this module by one with the icons of
 * icons.tsx, so that of the set of 6,000 icons only those in use are bundled.
 */
export const bodyOf = (name: string): string => name
