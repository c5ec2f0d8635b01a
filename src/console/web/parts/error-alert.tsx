import { Alert } from "@mantine/core"

/** What went wrong with a form as a whole, read out to those who cannot see it. */
export const ErrorAlert = ({ message }: { message: string | null }) =>
  message && (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  )
