import {
  Button,
  Group,
  Modal,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useState } from "react"
import { useRead } from "../../../console/api/hooks"
import type { Settings } from "../../../console/api/types"
import { MoneyField, NumberField } from "../../../console/forms/number-field"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { IconPlus } from "../../../console/parts/icons"
import { Loaded } from "../../../console/parts/page"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { type Language, languages } from "../../../shared/languages"
import { longestMessage, longestSubject } from "../../../shared/mail"
import { t } from "./texts"

type Level = Settings["reminderLevels"][number]
type Values = { remindersAutomatic: boolean; reminderLevels: Level[] }

const mostLevels = 5

/** When reminders are due, what they cost and what they say. For admins. */
export function LevelsDialog({ onClose }: { onClose: () => void }) {
  useRestoreFocus()
  const query = useRead<Settings>("/settings")
  return (
    <Modal opened onClose={onClose} title={t(($) => $.levels)} size="xl">
      <Loaded query={query}>{(settings) => <LevelsForm settings={settings} onClose={onClose} />}</Loaded>
    </Modal>
  )
}

function LevelsForm({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const [language, setLanguage] = useState<Language>(settings.defaultLanguage)
  const state = useRecordForm({
    kind: "settings",
    path: "/settings",
    record: settings,
    valuesOf: (from): Values => ({
      remindersAutomatic: from?.remindersAutomatic ?? false,
      reminderLevels: from?.reminderLevels ?? [],
    }),
    bodyOf: (values) => values,
    onSaved: () => {
      tellDone(t(($) => $.levelsSaved))
      onClose()
    },
  })
  const form = state.form as UseFormReturnType<Values>
  const { reminderLevels: levels } = form.values
  const last = levels.at(-1)
  return (
    <RecordForm state={state} onCancel={onClose}>
      <Switch
        label={t(($) => $.automatic)}
        description={t(($) => $.automaticHint)}
        {...form.getInputProps("remindersAutomatic", { type: "checkbox" })}
      />
      <Select
        label={t(($) => $.textsIn)}
        description={t(($) => $.placeholdersHint)}
        data={languages.map((value) => ({ value, label: common(($) => $.values.language[value]) }))}
        allowDeselect={false}
        value={language}
        onChange={(value) => value && setLanguage(value as Language)}
      />
      {levels.map((_, i) => (
        <LevelFields key={i} form={form} i={i} language={language} />
      ))}
      <Group>
        {last && levels.length < mostLevels && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => form.insertListItem("reminderLevels", { ...last, afterDays: last.afterDays + 14 })}
          >
            {t(($) => $.addLevel)}
          </Button>
        )}
        {levels.length > 1 && (
          <Button variant="default" onClick={() => form.removeListItem("reminderLevels", levels.length - 1)}>
            {t(($) => $.removeLevel, { level: levels.length })}
          </Button>
        )}
      </Group>
    </RecordForm>
  )
}

type LevelProps = { form: UseFormReturnType<Values>; i: number; language: Language }

function LevelFields({ form, i, language }: LevelProps) {
  const at = `reminderLevels.${i}`
  const title = t(($) => $.level, { level: i + 1 })
  return (
    <Paper withBorder p="md" role="group" aria-label={title}>
      <Stack gap="sm">
        <Text fw={600}>{title}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField label={t(($) => $.afterDays)} required {...form.getInputProps(`${at}.afterDays`)} />
          <MoneyField label={fieldName("fee", { of: "reminders" })} {...form.getInputProps(`${at}.fee`)} />
        </SimpleGrid>
        <TextInput
          key={`${at} subject ${language}`}
          label={t(($) => $.subject)}
          maxLength={longestSubject}
          {...form.getInputProps(`${at}.texts.${language}.subject`)}
        />
        <Textarea
          key={`${at} message ${language}`}
          label={t(($) => $.text)}
          autosize
          minRows={4}
          maxRows={12}
          maxLength={longestMessage}
          {...form.getInputProps(`${at}.texts.${language}.message`)}
        />
      </Stack>
    </Paper>
  )
}
