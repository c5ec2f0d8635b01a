/** The apps that act for the user. */
export const connections = {
  intro: "These apps can act for you, within the permissions you gave them.",
  none: "No connected apps yet",
  noneText:
    "An app, such as a web shop or accounting software, can ask for permission to act for you in Kontor. You sign in on a Kontor page, so the app never sees your password. Connected apps are listed here, and you can disconnect them at any time.",
  appCan: "This app can:",
  since: "Connected since",
  disconnect: "Disconnect",
  disconnectNamed: "Disconnect {{name}}",
  confirm: "Disconnect {{name}}?",
  confirmText: "The app loses access immediately. To use it again, you must connect it again.",
  disconnected: "{{name}} was disconnected.",
} as const
