import { createTheme, type CSSVariablesResolver } from "@mantine/core"
import { selectAllOnClick } from "./forms/select-all"
import { jumpAndTake, jumpByLetters } from "./jump"
import { language, locales, t } from "./texts"

/** Buttons that show only an icon need an accessible name. */
const close = () => ({ closeButtonProps: { "aria-label": t(($) => $.common.close) } })
const clear = () => ({ clearButtonProps: { "aria-label": t(($) => $.common.clear) } })
/** The list itself scrolls. A scroll area around it would have to be reachable by keyboard. */
const scrolls = {
  withScrollArea: false,
  styles: { options: { maxHeight: 260, overflowY: "auto" } },
} as const
/** Adds names to the arrow buttons. Hides weekend colours and days of other months, which have too little contrast. */
const calendar = () => ({
  locale: language,
  firstDayOfWeek: firstDayOfWeek(),
  highlightToday: true,
  ariaLabels: {
    previousMonth: t(($) => $.common.previousMonth),
    nextMonth: t(($) => $.common.nextMonth),
  },
  weekendDays: [],
  hideOutsideDates: true,
})

type WeekInfo = { getWeekInfo?: () => { firstDay: number } }

/** The first day of the week in the user's locale: 0 is Sunday. Browsers that do not know it show Monday. */
const firstDayOfWeek = () => {
  const locale = new Intl.Locale(locales[0] ?? language) as WeekInfo
  return ((locale.getWeekInfo?.().firstDay ?? 1) % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}
/** A field gets the focus to show its error. Its options must not open then, because they would cover the error. */
const staysClosed = { openOnFocus: false }

/** An open menu focuses its first entry. By default it focuses an empty element, which a menu must not contain. */
const startsAtFirst = { withInitialFocusPlaceholder: false }

/** The title of a dialog is a `header` by default, which is the banner of the page outside of its main part. */
const isNoBanner = { component: "div" }

/** Call it after the texts are loaded, because it contains some. */
export const themeOf = () =>
  createTheme({
    primaryColor: "cyan",
    primaryShade: 9,
    defaultRadius: "md",
    autoContrast: true,
    respectReducedMotion: true,
    cursorType: "pointer",
    fontFamily: "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
    headings: { fontWeight: "650" },
    // By name, so that the sign-in page does not load these components.
    components: {
      CloseButton: { defaultProps: { "aria-label": t(($) => $.common.close) } },
      Menu: { defaultProps: startsAtFirst },
      Modal: { defaultProps: close() },
      Drawer: { defaultProps: close() },
      ModalHeader: { defaultProps: isNoBanner },
      DrawerHeader: { defaultProps: isNoBanner },
      Notification: {
        defaultProps: close(),
        styles: { description: { color: "var(--mantine-color-text)" } },
      },
      PasswordInput: {
        defaultProps: { visibilityToggleButtonProps: { "aria-label": t(($) => $.common.togglePassword) } },
      },
      Select: { defaultProps: { ...clear(), ...scrolls, ...staysClosed, onKeyDown: jumpAndTake } },
      Autocomplete: { defaultProps: selectAllOnClick },
      MultiSelect: { defaultProps: { ...clear(), ...scrolls, onKeyDown: jumpByLetters } },
      DateInput: { defaultProps: calendar() },
      DatePickerInput: {
        defaultProps: { ...clear(), ...calendar(), popoverProps: { withRoles: false } },
      },
    },
  })

/** The library's greys and light colours have too little contrast on white. Darker shades pass everywhere. */
export const readable: CSSVariablesResolver = ({ colors, primaryColor }) => {
  const darker = (share: number, name: string) =>
    `color-mix(in srgb, var(--mantine-color-${name}-9) ${share}%, black)`
  // For the darkest shade the library uses a lighter hover colour, on which white text has too little contrast.
  const hover = { [`--mantine-color-${primaryColor}-filled-hover`]: darker(85, primaryColor) }
  return {
    variables: {},
    light: {
      ...Object.fromEntries(
        Object.keys(colors).map((name) => [`--mantine-color-${name}-light-color`, darker(65, name)]),
      ),
      ...hover,
      "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
      "--mantine-color-disabled-color": "var(--mantine-color-gray-7)",
      "--highlight": "var(--mantine-color-gray-2)",
      "--mantine-color-error": "var(--mantine-color-red-9)",
      "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    },
    dark: {
      ...hover,
      // The library's shade is too dark on the background of a yellow alert.
      "--mantine-color-anchor": `var(--mantine-color-${primaryColor}-3)`,
      "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
      "--mantine-color-disabled-color": "var(--mantine-color-dark-1)",
      "--highlight": "var(--mantine-color-dark-5)",
      "--mantine-color-error": "var(--mantine-color-red-4)",
      "--mantine-color-placeholder": "var(--mantine-color-dark-1)",
    },
  }
}
