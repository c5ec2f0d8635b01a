// The icons of the console, of the set of Tabler. An icon that is added here is bundled.
import type { SVGProps } from "react"
import { bodyOf } from "./icon-body"

type IconProps = Omit<SVGProps<SVGSVGElement>, "stroke"> & { size?: number; stroke?: number }

export type Icon = ReturnType<typeof icon>

/** Returns an icon with the given paths. */
export const icon = (body: string) =>
  function Icon({ size = 24, stroke = 2, ...others }: IconProps) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        strokeWidth={stroke}
        dangerouslySetInnerHTML={{ __html: body }}
        {...others}
      />
    )
  }

export const IconAlertTriangle = icon(bodyOf("alert-triangle"))
export const IconApps = icon(bodyOf("apps"))
export const IconArrowDownRight = icon(bodyOf("arrow-down-right"))
export const IconArrowForwardUp = icon(bodyOf("arrow-forward-up"))
export const IconArrowUpRight = icon(bodyOf("arrow-up-right"))
export const IconArrowsSort = icon(bodyOf("arrows-sort"))
export const IconBookmark = icon(bodyOf("bookmark"))
export const IconBox = icon(bodyOf("box"))
export const IconBuildingStore = icon(bodyOf("building-store"))
export const IconCalendar = icon(bodyOf("calendar"))
export const IconCash = icon(bodyOf("cash"))
export const IconCashBanknote = icon(bodyOf("cash-banknote"))
export const IconChartBar = icon(bodyOf("chart-bar"))
export const IconCheck = icon(bodyOf("check"))
export const IconChevronDown = icon(bodyOf("chevron-down"))
export const IconChevronRight = icon(bodyOf("chevron-right"))
export const IconCircle = icon(bodyOf("circle"))
export const IconCircleCheck = icon(bodyOf("circle-check"))
export const IconCode = icon(bodyOf("code"))
export const IconColumns3 = icon(bodyOf("columns-3"))
export const IconCopy = icon(bodyOf("copy"))
export const IconDatabaseExport = icon(bodyOf("database-export"))
export const IconDots = icon(bodyOf("dots"))
export const IconDownload = icon(bodyOf("download"))
export const IconFileImport = icon(bodyOf("file-import"))
export const IconFileInvoice = icon(bodyOf("file-invoice"))
export const IconFileTypePdf = icon(bodyOf("file-type-pdf"))
export const IconFilter = icon(bodyOf("filter"))
export const IconFilterOff = icon(bodyOf("filter-off"))
export const IconGauge = icon(bodyOf("gauge"))
export const IconHash = icon(bodyOf("hash"))
export const IconHelpCircle = icon(bodyOf("help-circle"))
export const IconHistory = icon(bodyOf("history"))
export const IconKey = icon(bodyOf("key"))
export const IconKeyboard = icon(bodyOf("keyboard"))
export const IconLogout = icon(bodyOf("logout"))
export const IconPackages = icon(bodyOf("packages"))
export const IconPlugConnected = icon(bodyOf("plug-connected"))
export const IconPlugConnectedX = icon(bodyOf("plug-connected-x"))
export const IconPlus = icon(bodyOf("plus"))
export const IconReceiptRefund = icon(bodyOf("receipt-refund"))
export const IconReceiptTax = icon(bodyOf("receipt-tax"))
export const IconRefresh = icon(bodyOf("refresh"))
export const IconReportAnalytics = icon(bodyOf("report-analytics"))
export const IconSearch = icon(bodyOf("search"))
export const IconShoppingCart = icon(bodyOf("shopping-cart"))
export const IconSortAscending = icon(bodyOf("sort-ascending"))
export const IconSortDescending = icon(bodyOf("sort-descending"))
export const IconTerminal = icon(bodyOf("terminal-2"))
export const IconTrash = icon(bodyOf("trash"))
export const IconTruckDelivery = icon(bodyOf("truck-delivery"))
export const IconUser = icon(bodyOf("user"))
export const IconUserCircle = icon(bodyOf("user-circle"))
export const IconUsers = icon(bodyOf("users"))
export const IconUsersGroup = icon(bodyOf("users-group"))
export const IconWebhook = icon(bodyOf("webhook"))
export const IconX = icon(bodyOf("x"))
