import { t } from "../../texts"
import { errorMessage } from "../../texts/errors"
import type { Import } from "./kinds"

/** Why an import has failed. A sentence about the file is the server's own, because its code says less. */
export function errorInWords({ code, message }: NonNullable<Import["error"]>): string {
  if (code === "CANCELLED") return t(($) => $.imports.cancelled)
  return code === "VALIDATION_ERROR" ? message : errorMessage({ code, message })
}
