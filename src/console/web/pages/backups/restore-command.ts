/** The command that restores a backup to the database of this server. BACKUP-FILE stands for an unknown path. */
export const restoreCommand = (database: string, backup: string | null): string =>
  `kontor restore ${backup === null ? "BACKUP-FILE" : quoted(backup)} --db ${quoted(database)}`

/** Quotes a path for a shell if it needs it. Windows has other quotes. */
function quoted(path: string): string {
  if (/^[\w/.:@%+=,-]+$/.test(path)) return path
  return path.includes("\\") ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}
