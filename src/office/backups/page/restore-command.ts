/** The command that restores a backup to the database of this server. `unknown` stands for an unknown path. */
export const restoreCommand = (database: string, backup: string | null, unknown: string): string =>
  `kontor restore ${backup === null ? unknown : quoted(backup)} --db ${quoted(database)}`

/** Quotes a path for a shell if it needs it. Windows has other quotes. */
function quoted(path: string): string {
  if (/^[\w/.:@%+=,-]+$/.test(path)) return path
  return path.includes("\\") ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}
