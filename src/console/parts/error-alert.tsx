import { Alert } from "@mantine/core"

/** The error of a whole form. Screen readers announce it. */
export const ErrorAlert = ({ message }: { message: string | null }) =>
  message && (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  )
