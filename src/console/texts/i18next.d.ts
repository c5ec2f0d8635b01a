import "i18next"
import type { Kind } from "../api/types"
import type en from "./en"
import type { KindTexts } from "./kinds"

declare module "i18next" {
  interface CustomTypeOptions {
    enableSelector: true
    resources: {
      translation: typeof en & {
        kinds: Record<Kind, KindTexts>
        values: { status: Record<string, string> }
      }
    }
  }
}
