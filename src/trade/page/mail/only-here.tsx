import { Note } from "../view/note"
import { t } from "./texts"

/** True for an address that other computers cannot open. */
const isOnlyHere = (url: string): boolean =>
  /^(localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(new URL(url).hostname)

/** Warns of a link for customers that leads to this computer. */
export const OnlyHereNote = ({ url }: { url: string }) =>
  isOnlyHere(url) && <Note>{t(($) => $.onlyHere)}</Note>
