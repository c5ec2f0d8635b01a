import { Button, Group, Modal, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { signOut, useSession } from "../api/session"
import { SignInForm } from "../parts/sign-in-form"
import { t } from "../texts"

/**
 * Asks for the password again after the session has expired. The page stays open behind it with its unsaved changes,
 * and pending requests continue after the sign-in.
 */
export function SessionLock() {
  const { state, user } = useSession()
  const client = useQueryClient()
  useEffect(() => {
    if (state === "out") client.clear()
  }, [state, client])
  return (
    <Modal
      opened={state === "locked"}
      onClose={() => {}}
      title={t(($) => $.account.signInAgain)}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 8 }}
      zIndex={1000}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t(($) => $.account.expired)}
      </Text>
      {user && <SignInForm email={user.email} />}
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" onClick={() => signOut()}>
          {t(($) => $.account.signOut)}
        </Button>
      </Group>
    </Modal>
  )
}
