import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { CustomerDuplicate } from "../../../console/api/types"
import type { AddressValues } from "../../../console/forms/address-fields"
import { kinds } from "../../../console/kinds"
import { t as common } from "../../../console/texts"
import { fieldName, inSentence } from "../../../console/texts/fields"
import { t } from "../texts"

type Props = {
  /** What is typed of a new customer. */
  values: {
    name: string
    email: string
    phone: string
    taxId: string
    address: Pick<AddressValues, "street" | "zipCode" | "city">
  }
  /** Where it stands: below the address are those that have nothing but the address in common. */
  below: "name" | "address"
  /** Takes a customer that exists instead. */
  onUse?: (found: CustomerDuplicate) => void
}

/** The customers that a new one may be: shown while it is typed, so that nobody is entered twice. */
export function PossibleDuplicates({ values, below, onUse }: Props) {
  const found = useDuplicates(values)
    .filter(({ matches }) => matches.every((field) => field === "address") === (below === "address"))
    .slice(0, mostShown)
  return (
    <div role="status">
      {found.length > 0 && (
        <Alert role="group" color="orange" mt="sm" title={t(($) => $.pickers.mayExist)}>
          <Stack gap="xs">
            {found.map((each) => (
              <Group key={each.id} justify="space-between" gap="xs">
                <div style={{ minWidth: 0 }}>
                  <Anchor href={`/console${kinds.customers.path}/${each.id}`} target="_blank" size="sm">
                    {each.name}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {detailOf(each)}
                  </Text>
                </div>
                {onUse && each.isActive && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t(($) => $.pickers.useThisLabel, { name: each.name })}
                    onClick={() => onUse(each)}
                  >
                    {t(($) => $.pickers.useThis)}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
    </div>
  )
}

/** The number, the town, and what is the same. */
const detailOf = ({ customerNumber, city, isActive, matches }: CustomerDuplicate): string =>
  [
    customerNumber,
    city,
    !isActive && common(($) => $.values.status.inactive),
    t(($) => $.pickers.sameFields, {
      fields: matches.map((field) => inSentence(fieldName(field, { of: "customers" }))).join(", "),
    }),
  ]
    .filter(Boolean)
    .join(" · ")

const mostShown = 5

/** Nothing is asked while somebody types, or about less than two letters. */
function useDuplicates({ name, email, phone, taxId, address }: Props["values"]): CustomerDuplicate[] {
  const { street, zipCode, city } = address
  const place = { "address.street": street, "address.zipCode": zipCode, "address.city": city }
  const typed = Object.entries({ name, email, phone, taxId, ...place }).flatMap(([name, text]) =>
    text.trim().length > 1 ? [[name, text.trim()]] : [],
  )
  const [query] = useDebouncedValue(new URLSearchParams(typed).toString(), 300)
  const { data } = useQuery({
    queryKey: ["customers", "duplicates", query],
    queryFn: async ({ signal }) =>
      (await call<CustomerDuplicate[]>("GET", `/customers/duplicates?${query}`, { signal })).data,
    enabled: query !== "",
    placeholderData: keepPreviousData,
  })
  return query === "" ? [] : (data ?? [])
}
