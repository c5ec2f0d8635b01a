import { Button, Grid, Stack } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { Link } from "wouter"
import { useMay, useMe, useRecord } from "../../api/hooks"
import type { Customer } from "../../api/types"
import { money } from "../../format"
import { DeleteButton } from "../../parts/delete-button"
import { DuplicateButton } from "../../parts/duplicate-button"
import { Figures } from "../../parts/figures"
import { History } from "../../parts/history"
import { Loaded } from "../../parts/loaded"
import { NewRecord } from "../../parts/new-record"
import { OnlyFor } from "../../parts/only-for"
import { Page } from "../../parts/page"
import { StatusBadge } from "../../parts/status-badge"
import { CustomerForm } from "./customer-form"
import { LatestInvoices, LatestOrders } from "./latest-documents"

const parent = { title: "Customers", href: "/customers" }

/** The page of a customer: form, account, latest documents and history. */
export default function CustomerPage({ id }: { id: string }) {
  const query = useRecord("customers", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="customers"
        scope="write"
        title="New customer"
        parent={parent}
        sentence="Only sales, shops, accountants, managers and admins can create customers."
      >
        <NewRecord kind="customers" title="New customer" parent={parent}>
          {(copied, startAgain) => <CustomerForm customer={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(customer) => <Existing customer={customer} />}</Loaded>
}

function Existing({ customer }: { customer: Customer }) {
  const { id, name, customerNumber, status } = customer
  const may = useMay()
  return (
    <Page
      title={name}
      parent={{ ...parent, title: `Customers · ${customerNumber}` }}
      badge={<StatusBadge status={status} />}
      actions={<Actions customer={customer} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <CustomerForm customer={customer} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <Account customer={customer} />
            {may("sales-orders", "read") && <LatestOrders customer={id} />}
            {may("invoices", "read") && <LatestInvoices customer={id} />}
            <History kind="customers" id={id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Actions({ customer: { id, version, name, isActive } }: { customer: Customer }) {
  const may = useMay()
  return (
    <>
      {isActive && may("sales-orders", "write") && (
        <Button
          component={Link}
          href={`/orders/new?customer=${id}`}
          variant="default"
          leftSection={<IconPlus size={16} />}
        >
          New order
        </Button>
      )}
      {may("customers", "write") && <DuplicateButton of="/customers" id={id} />}
      {may("customers", "delete") && (
        <DeleteButton kind="customers" id={id} version={version} name={name} to="/customers" />
      )}
    </>
  )
}

function Account({ customer }: { customer: Customer }) {
  const { outstandingBalance, openOrdersValue, creditAvailable } = customer
  const { currency } = useMe().company
  return (
    <Figures
      title="Account"
      rows={[
        ["Outstanding balance", money(outstandingBalance, currency)],
        ["Open orders", money(openOrdersValue, currency)],
        ["Available credit", creditAvailable === null ? "No limit" : money(creditAvailable, currency)],
      ]}
    />
  )
}
