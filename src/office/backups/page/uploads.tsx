import { Alert, Text } from "@mantine/core"
import type { BackupFiles } from "../model"
import { Facts } from "../../../console/parts/facts"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import { moment } from "../../../console/format"

type Upload = NonNullable<BackupFiles["upload"]>

/** The uploads of automatic backups: where they are, and why the last one failed. */
export const Uploads = ({ target, latest, isEncrypted, error }: Upload) => (
  <Section title={t(($) => $.backups.uploadTitle)}>
    {error && <Failure {...error} />}
    <Facts
      columns={1}
      of={[
        { label: t(($) => $.backups.uploadTarget), value: target },
        { label: t(($) => $.backups.uploadLatest), value: latest ?? t(($) => $.backups.uploadNone) },
        {
          label: t(($) => $.backups.uploadEncryption),
          value: isEncrypted ? t(($) => $.backups.uploadEncrypted) : t(($) => $.backups.uploadPlain),
        },
      ]}
    />
  </Section>
)

const Failure = ({ code, message, failedAt }: NonNullable<Upload["error"]>) => (
  <Alert color="red" role="status" title={t(($) => $.backups.uploadFailed, { time: moment(failedAt) })}>
    <Text size="sm">{t(($) => $.backups.uploadErrors[code])}</Text>
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {t(($) => $.backups.uploadDetails, { message })}
    </Text>
  </Alert>
)
