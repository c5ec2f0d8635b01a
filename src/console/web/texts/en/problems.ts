/** Errors that the console finds itself. */
export const problems = {
  noAnswer: "Kontor is not responding. Check that it is running and try again.",
  cutOff: "The download was interrupted. Try again.",
  unknown: "The server returned an error (status {{status}}).",
  signedOut: "You are signed out.",
  required: "This field is required",
  number: "Enter a valid number, for example {{example}}.",
} as const
