import { t } from "./texts"

/** items.update → Update. An action without a title is shown by its name. */
export function actionInWords(action: string): string {
  const titles: Record<string, string> = t(($) => $.actions, { returnObjects: true })
  const verb = action.split(".").at(-1) ?? action
  return titles[verb] ?? verb
}
