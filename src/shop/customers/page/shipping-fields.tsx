import { Switch } from "@mantine/core"
import { useState } from "react"
import { AddressFields, addressValuesOf } from "../../../console/forms/address-fields"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import type { CustomerFormValues } from "./customer-form"

type Props = { form: CustomerFormValues; isReadOnly: boolean }

/** The shipping address, if it differs from the address. */
export function ShippingFields({ form, isReadOnly }: Props) {
  const hasOne = Object.values(form.values.shippingAddress).some(Boolean)
  const [isWanted, setWanted] = useState(hasOne)
  const isShown = isWanted || hasOne
  return (
    <>
      <Switch
        label={t(($) => $.shipsElsewhere)}
        checked={isShown}
        onChange={({ currentTarget: { checked } }) => {
          setWanted(checked)
          if (!checked) form.setFieldValue("shippingAddress", addressValuesOf(null))
        }}
      />
      {isShown && (
        <AddressFields
          form={form}
          name="shippingAddress"
          legend={common(($) => $.fields.shippingAddress)}
          isReadOnly={isReadOnly}
        />
      )}
    </>
  )
}
