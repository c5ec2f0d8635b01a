// Writes src/core/engine/postgres/schema.sql, the schema for PostgreSQL, from schema.sql.
import { join } from "node:path"
import { postgresSchema } from "../src/core/engine/postgres/schema/generate"

const root = join(import.meta.dir, "..")
const sql = await Bun.file(join(root, "schema.sql")).text()
await Bun.write(join(root, "src/core/engine/postgres/schema.sql"), postgresSchema(sql))
