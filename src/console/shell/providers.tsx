import { Button, Stack } from "@mantine/core"
import { useEffect, useState } from "react"
import { assertOk, send } from "../api/send"
import { t } from "../texts"

/** What the server offers to people who are not signed in. */
export type Offers = {
  needsAdmin: boolean
  sendsLinks: boolean
  /** True if browsers have passkeys for this address. */
  offersPasskeys: boolean
  signInWith: { name: string; url: string }[]
  hasPasswords: boolean
}

/** Without a response, only the sign-in form is shown. */
const nothing: Offers = {
  needsAdmin: false,
  sendsLinks: false,
  offersPasskeys: false,
  signInWith: [],
  hasPasswords: true,
}

export function useOffers(): Offers {
  const [offers, setOffers] = useState<Offers>(nothing)
  useEffect(() => {
    const read = async () => {
      const response = await assertOk(await send("GET", "/console/session/setup", {}))
      setOffers((await response.json()).data)
    }
    read().catch(() => {})
  }, [])
  return offers
}

/** The buttons of the providers with which people sign in. In a tab of its own, this one keeps what is on its page. */
export const SignInWith = ({ offers, isNewTab = false }: { offers: Offers; isNewTab?: boolean }) =>
  offers.signInWith.length > 0 && (
    <Stack gap="xs" mb="md">
      {offers.signInWith.map(({ name, url }) => (
        <Button
          key={url}
          component="a"
          href={url}
          variant={offers.hasPasswords ? "default" : "filled"}
          {...(isNewTab ? { target: "_blank", rel: "noopener" } : {})}
        >
          {t(($) => $.account.signInWith, { name })}
        </Button>
      ))}
    </Stack>
  )
