import { createTheme, type CSSVariablesResolver } from "@mantine/core"

export const theme = createTheme({
  primaryColor: "cyan",
  primaryShade: 9,
  defaultRadius: "md",
  autoContrast: true,
  cursorType: "pointer",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  headings: { fontWeight: "650" },
  // The crosses of dialogs and messages have no name of their own.
  components: { CloseButton: { defaultProps: { "aria-label": "Close" } } },
})

/** Some of the library's colours are too pale to read: lesser text, buttons under the pointer, teal badges. */
export const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-cyan-filled-hover": "#095f6e",
    "--mantine-color-teal-light-color": "#066649",
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
  },
  dark: {
    "--mantine-color-cyan-filled-hover": "#095f6e",
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-1)",
  },
})
