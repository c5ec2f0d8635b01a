import { Button, Group, Modal, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { signOut, useSession } from "../api/session"
import { SignInForm } from "../parts/sign-in-form"

/**
 * Asks a person who was away too long for the password, over the page as they left it: what they have typed is still
 * there, and what they were about to save is saved as soon as they are back.
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
      title="Please sign in again"
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 8 }}
      zIndex={1000}
    >
      <Text size="sm" c="dimmed" mb="md">
        You were signed out. Nothing on this page is lost.
      </Text>
      {user && <SignInForm email={user.email} />}
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" onClick={() => signOut()}>
          Leave this page
        </Button>
      </Group>
    </Modal>
  )
}
