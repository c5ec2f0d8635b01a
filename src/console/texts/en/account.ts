/** The pages before the user has signed in. */
export const account = {
  signIn: "Sign in",
  signInTitle: "Sign in · Kontor",
  noAccount: "No account yet? Ask an admin to create one.",
  setUp: "Set up Kontor",
  setUpIntro: "Create the first admin. You can add other users later under Settings, Users.",
  noAdmin: "Kontor has no admin yet",
  setUpLink:
    'Open the setup link to create the first admin. The command "kontor serve" printed it when the server started: look in its terminal or in its log.',
  newSetUpLink:
    'To print a new setup link, run this command on the machine of the server, for the same database file as "kontor serve":',
  isSetUp: "Already set up?",
  yourName: "Your name",
  passwordRule: "At least 10 characters",
  createAdmin: "Create admin",
  signInAgain: "Sign in again",
  expired: "Your session has expired. Your changes on this page are still here.",
  signOut: "Sign out",
} as const
