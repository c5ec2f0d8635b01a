import { ActionIcon, Burger, Button, Group, Kbd, Menu, useMantineColorScheme } from "@mantine/core"
import { IconKeyboard, IconLogout, IconSearch, IconUserCircle } from "../parts/icons"
import { Link, useLocation } from "wouter"
import { useMe } from "../api/hooks"
import { signOut } from "../api/session"
import type { Me } from "../api/types"
import { Brand } from "./brand"
import { searchDialog } from "./palette/search-dialog"
import { chooseLanguage, language, languages, t, type Language } from "../texts"

type Props = { isOpen: boolean; onToggle: () => void; onShortcuts: () => void }

export function Header({ isOpen, onToggle, onShortcuts }: Props) {
  const me = useMe()
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger
          opened={isOpen}
          onClick={onToggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t(($) => $.shell.toggleMenu)}
        />
        <Brand name={me.company.name} />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          leftSection={<IconSearch size={16} />}
          rightSection={<Kbd size="xs">{t(($) => $.shell.searchKeys)}</Kbd>}
          onClick={() => searchDialog.open()}
          visibleFrom="xs"
        >
          {t(($) => $.common.search)}
        </Button>
        <ActionIcon
          variant="default"
          size="lg"
          onClick={() => searchDialog.open()}
          hiddenFrom="xs"
          aria-label={t(($) => $.common.search)}
        >
          <IconSearch size={18} />
        </ActionIcon>
        <Person name={me.name} email={me.email} role={me.role} onShortcuts={onShortcuts} />
      </Group>
    </Group>
  )
}

const schemes = [
  { value: "light", title: t(($) => $.shell.light) },
  { value: "dark", title: t(($) => $.shell.dark) },
  { value: "auto", title: t(($) => $.shell.system) },
] as const

const LanguageChoice = () => (
  <Menu.RadioGroup value={language} onChange={(value) => chooseLanguage(value as Language)}>
    {Object.entries(languages).map(([value, name]) => (
      <Menu.RadioItem key={value} value={value} lang={value}>
        {name}
      </Menu.RadioItem>
    ))}
  </Menu.RadioGroup>
)

type PersonProps = Pick<Me, "name" | "email" | "role"> & Pick<Props, "onShortcuts">

function Person({ name, email, role, onShortcuts }: PersonProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [, go] = useLocation()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t(($) => $.shell.signedInAs, { name })}>
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {t(($) => $.values.role[role])}
          <br />
          {email}
        </Menu.Label>
        <Menu.Item component={Link} href="/settings/account" leftSection={<IconUserCircle size={16} />}>
          {t(($) => $.menu.account)}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShortcuts} visibleFrom="sm">
          {t(($) => $.shell.shortcuts)}
        </Menu.Item>
        <Menu.Divider />
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {schemes.map(({ value, title }) => (
            <Menu.RadioItem key={value} value={value}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <LanguageChoice />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => {
            // Who signs in next may not see this page.
            go("/")
            void signOut()
          }}
        >
          {t(($) => $.account.signOut)}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
