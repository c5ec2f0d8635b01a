import { expect, test } from "bun:test"
import { restoreCommand } from "./restore-command"

test("the restore command names the database, and quotes paths that need it", () => {
  expect(restoreCommand("/srv/kontor.db", "/mnt/usb/kontor-2026-03-01T000000Z.db", "BACKUP-FILE")).toBe(
    "kontor restore /mnt/usb/kontor-2026-03-01T000000Z.db --db /srv/kontor.db",
  )
  expect(restoreCommand("/srv/Anna's shop/kontor.db", null, "BACKUP-FILE")).toBe(
    "kontor restore BACKUP-FILE --db '/srv/Anna'\\''s shop/kontor.db'",
  )
  expect(restoreCommand("C:\\My shop\\kontor.db", null, "BACKUP-FILE")).toBe(
    'kontor restore BACKUP-FILE --db "C:\\My shop\\kontor.db"',
  )
})
