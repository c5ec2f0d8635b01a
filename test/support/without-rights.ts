/**
 * Starts a program with the rights of an ordinary user: root gives up what it may do beyond that, so that permissions of
 * files and limits count for it too.
 */
export const withoutRights: string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
