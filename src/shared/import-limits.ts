/** The largest files of an import, in bytes. */
export const mostImportBytes = { csv: 32 * 1024 * 1024, xlsx: 8 * 1024 * 1024 } as const
