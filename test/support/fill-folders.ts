import { plugin } from "bun"
import { fillFolders } from "../../src/console/server/folders"

await plugin(fillFolders)
