import type {
  ActorType,
  CustomerType,
  itemTypes,
  NamedMethod,
  Outcome,
  reasons,
} from "../../../shared/suggestions"
import type { PlanName } from "../../../shared/plans"
import type { Area, Role, Scope } from "../../../shared/rights"
import type { Language } from "../../../shared/languages"
import type { SetUpStep } from "../../../shared/set-up"
import { treatmentReasons, type TreatmentReason } from "../../../shared/documents/treatment-reasons"
import type { TaxCategory, TaxTreatment } from "../../../shared/documents/tax"
import type { Invoice, OAuthClient, RecurringInvoice, Settings, Webhook } from "../../api/types"

/** What entries of the audit log are about besides the kinds of records. */
type AuditKind = "auth" | "backups" | "imports" | "reprice" | "access" | "views" | "clock"

/** The values that have a text. A new value without a text does not compile. */
type Valued = {
  role: Record<Role, string>
  roleMeaning: Record<Role, string>
  area: Record<Area, string>
  plan: Record<PlanName, string>
  scope: Record<Scope, string>
  scopeBadge: Record<Scope, string>
  scopeMeaning: Record<Scope, string>
  keyScopeMeaning: Record<Scope, string>
  right: Record<Scope, string>
  status: Record<"active" | "inactive" | "draft" | "cancelled" | Outcome, string>
  itemType: Record<(typeof itemTypes)[number], string>
  customerType: Record<CustomerType, string>
  recurringMode: Record<RecurringInvoice["mode"], string>
  recurringPrices: Record<RecurringInvoice["prices"], string>
  stockReason: Record<(typeof reasons)[number], string>
  via: Record<"mcp", string>
  actorType: Record<ActorType, string>
  auditKind: Record<AuditKind, string>
  payload: Record<Webhook["payload"], string>
  clientType: Record<OAuthClient["type"], string>
  clientTypeMeaning: Record<OAuthClient["type"], string>
  taxCategory: Record<TaxCategory, string>
  taxCategoryMeaning: Record<TaxCategory, string>
  taxTreatment: Record<TaxTreatment, string>
  taxTreatmentMeaning: Record<TaxTreatment, string>
  treatmentReason: Record<TreatmentReason, string>
  language: Record<Language, string>
  paymentMethod: Record<NamedMethod, string>
  invoiceFrom: Record<Settings["invoiceFrom"], string>
  invoiceType: Record<Invoice["invoiceType"], string>
  correctBy: Record<Settings["correctBy"], string>
  correctByMeaning: Record<Settings["correctBy"], string>
  requireSecondFactor: Record<Settings["requireSecondFactor"], string>
  creditPolicy: Record<Settings["creditPolicy"], string>
  setUpStep: Record<SetUpStep, string>
  creditPolicyMeaning: Record<Settings["creditPolicy"], string>
}

/** The values of the API that the console shows: `t(($) => $.values.role[role])`. */
export const values = {
  role: {
    viewer: "Viewer",
    sales: "Sales",
    shop: "Shop",
    accountant: "Accountant",
    manager: "Manager",
    admin: "Admin",
  },
  roleMeaning: {
    viewer: "Can view all business data, but cannot change it.",
    sales: "Can manage orders and customers, and view items and invoices.",
    shop: "For a web shop or till. Can sell: update stock, customers, orders, invoices and payments, but not cancel, credit or refund invoices, and not delete anything.",
    accountant: "Can manage invoices, payments and customers, and view items and orders.",
    manager: "Can manage all business data: items, stock, customers, orders and invoices.",
    admin: "Can do everything a manager can, and manage users, keys and settings.",
  },
  area: {
    items: "Items",
    stock: "Stock",
    customers: "Customers",
    "sales-orders": "Orders",
    invoices: "Invoices and payments",
    search: "Search",
    own: "Own account and API keys",
    webhooks: "Own webhooks",
    administration: "Users, all API keys, settings, audit log",
  },
  plan: { free: "Free", pro: "Pro", enterprise: "Enterprise" },
  scope: { read: "Read", write: "Write", delete: "Delete", admin: "Admin", webhooks: "Webhooks" },
  scopeBadge: { read: "read", write: "write", delete: "delete", admin: "admin", webhooks: "webhooks" },
  /** What an app with a scope can do, as shown to users. */
  scopeMeaning: {
    read: "View your items, stock, customers, orders, invoices and profile",
    write: "Create and update records, submit orders, issue invoices and record payments",
    delete: "Delete records",
    admin: "View users, settings, OAuth clients and the audit log",
    webhooks: "Manage your webhooks, which send changed records that you may view to other programs",
  },
  /** What an API key with a scope can do. */
  keyScopeMeaning: {
    read: "View and search items, stock, customers, orders and invoices.",
    write: "Create and update records, submit orders, issue invoices and record payments.",
    delete: "Delete records.",
    admin: "View users, settings, OAuth clients and the audit log. API keys cannot update them.",
    webhooks: "Manage your webhooks. They send changed records that you may view to other programs.",
  },
  /** What a role may do in an area, in a list of such verbs. */
  right: { read: "view", write: "update", delete: "delete", admin: "full access", webhooks: "manage" },
  status: {
    active: "Active",
    inactive: "Inactive",
    draft: "Draft",
    cancelled: "Cancelled",
    success: "Success",
    failure: "Failure",
    refused: "Refused",
  },
  itemType: { Product: "Product", Service: "Service", Consumable: "Consumable" },
  customerType: {
    Company: "Company",
    Individual: "Individual",
    Partnership: "Partnership",
    Government: "Government",
    NonProfit: "NonProfit",
  },
  recurringMode: { draft: "Draft", issue: "Issue", send: "Issue and send" },
  recurringPrices: { template: "As here", item: "Of the day" },
  stockReason: {
    receipt: "Receipt",
    adjustment: "Adjustment",
    return: "Return",
    invoice: "Invoice",
    cancellation: "Cancellation",
    credit: "Credit note",
    delivery: "Delivery",
  },
  via: { mcp: "Assistant" },
  actorType: {
    user: "User",
    apiKey: "API key",
    oauthClient: "Connected app",
    anonymous: "Anonymous",
    system: "System",
  },
  /** In the order of the filter of the audit log. */
  auditKind: {
    views: "Views",
    imports: "Imports",
    reprice: "Price changes",
    auth: "Failed sign-ins",
    backups: "Backups",
    access: "Refused access",
    clock: "Clock",
  },
  payload: { thin: "Only the event", full: "The event and the record" },
  clientType: { confidential: "Confidential", public: "Public" },
  clientTypeMeaning: {
    confidential: "A server that can keep a secret, such as a web shop. It authenticates with its secret.",
    public: "An app on a user's device, such as a phone or a cash register. It has no secret.",
  },
  /** The tax categories of EN 16931. */
  taxCategory: {
    S: "Taxed",
    Z: "Zero rate",
    E: "Exempt",
    AE: "Reverse charge",
    K: "Intra-Community supply",
    G: "Export",
    O: "Not subject to tax",
  },
  taxCategoryMeaning: {
    S: "Tax is charged at a standard or reduced rate.",
    Z: "Tax is charged at a rate of 0 %.",
    E: "No tax is charged, for example because the business is small. Documents give the reason.",
    AE: "No tax is charged: the customer pays it to the tax office.",
    K: "No tax is charged on goods that go to a business in another EU country.",
    G: "No tax is charged on goods that leave the country, or the EU.",
    O: "The sale is outside the scope of the tax. Documents give the reason.",
  },
  taxTreatment: {
    domestic: "Domestic",
    "reverse-charge": "Reverse charge",
    "intra-community": "Other EU country",
    export: "Export",
    exempt: "Exempt",
  },
  taxTreatmentMeaning: {
    domestic: "Sales are taxed as their items are.",
    "reverse-charge":
      "No tax is charged: the customer pays it to the tax office. An invoice needs the customer's tax ID.",
    "intra-community":
      "No tax is charged: goods are intra-Community supplies, services are reverse charge. An invoice needs the customer's tax ID.",
    export: "No tax is charged, because the goods leave the country, or the EU.",
    exempt: "No tax is charged, for the reason below. Documents print it.",
  },
  /** Why a treatment fits a customer in `{{country}}`. */
  treatmentReason: treatmentReasons,
  language: { en: "English", de: "German", fr: "French" },
  paymentMethod: { voucher: "Voucher" },
  /** What cancelling an issued invoice does. */
  invoiceFrom: { ordered: "Ordered", delivered: "Delivered" },
  invoiceType: { standard: "Invoice", deposit: "Deposit invoice", final: "Final invoice" },
  correctBy: { cancel: "Cancellation alone", "credit-note": "Cancellation with a credit note" },
  correctByMeaning: {
    cancel: "A cancelled invoice keeps its number. No other document is issued.",
    "credit-note": "Cancelling an invoice also issues a credit note for the whole invoice.",
  },
  setUpStep: {
    company: "Company",
    taxes: "Taxes",
    numbers: "Numbers",
    documents: "Documents",
    logo: "Logo",
  },
  requireSecondFactor: { nobody: "Nobody", admins: "Admins", everybody: "Everybody" },
  creditPolicy: { block: "Block", warn: "Warn", off: "Off" },
  creditPolicyMeaning: {
    block: "Orders over the limit cannot be submitted. Managers and admins can override this.",
    warn: "Orders over the limit are submitted with a warning.",
    off: "Credit limits are not checked.",
  },
} as const satisfies Valued
