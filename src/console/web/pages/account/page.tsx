import { Badge, Button, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { areas, areaNames } from "../../../../shared/rights"
import { messageOf } from "../../api/client"
import { useMe } from "../../api/hooks"
import { signOut, signOutEverywhere } from "../../api/session"
import { words } from "../../format"
import { confirm } from "../../parts/confirm"
import { Facts } from "../../parts/facts"
import { Page } from "../../parts/page"
import { rightsInWords, roleSentences } from "../../parts/rights-in-words"
import { Section } from "../../parts/section"
import { ChangePassword } from "./change-password"

export default function Account() {
  return (
    <Page title="My account">
      <Stack maw={760}>
        <Section title="Profile">
          <Person />
        </Section>
        <Section title="Change password">
          <ChangePassword />
        </Section>
        <Section title="Sessions">
          <SignOut />
        </Section>
        <Section title="Appearance">
          <Appearance />
        </Section>
      </Stack>
    </Page>
  )
}

function Person() {
  const { name, email, role, rights } = useMe()
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <Badge variant="light" tt="none">
          {words(role)}
        </Badge>
      </Group>
      <Text size="sm">{email}</Text>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {roleSentences[role]}
      </Text>
      <Facts of={areas.map((area) => ({ label: areaNames[area], value: rightsInWords(rights[area]) }))} />
    </div>
  )
}

function SignOut() {
  const [isBusy, setBusy] = useState(false)
  const everywhere = async () => {
    const text = "You will be signed out in every browser and app, including this one. API keys keep working."
    if (!(await confirm({ title: "Sign out on all devices?", text, action: "Sign out on all devices" })))
      return
    setBusy(true)
    await signOutEverywhere().catch((error: unknown) => {
      setBusy(false)
      notifications.show({ message: messageOf(error), color: "red" })
    })
  }
  return (
    <Group>
      <Button variant="default" onClick={() => signOut()}>
        Sign out on this device
      </Button>
      <Button variant="default" loading={isBusy} onClick={everywhere}>
        Sign out on all devices
      </Button>
    </Group>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Appearance"
      value={colorScheme}
      onChange={setColorScheme}
      data={[
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
        { value: "auto", label: "System" },
      ]}
    />
  )
}
