/** The users, and their roles. */
export const users = {
  new: "New user",
  create: "Create user",
  role: "Role",
  defaultPlan: "Default",
  companyPlan: "Company default",
  detailsFor: "Sign-in details for {{name}}",
  sharePassword:
    "Share the password with the user now. You cannot view it again. The user can change it under My account.",
  passwordShared: "I have shared the password",
  copyEmail: "Copy email",
  copyPassword: "Copy password",
  aboutMyself:
    "This is your own account. If you change your role or deactivate it, you lose access to this page immediately.",
  lastAdmin: "{{name}} is the last active admin. Make another user an admin first.",
  emailNew: "Used to sign in",
  emailFixed: "Cannot be changed",
  nameHint: "Shown to other users",
  ownPassword: "Change your own password under {{link}}.",
  active: "Active",
  activeHint: "Inactive users cannot sign in, their API keys do not work, and their webhooks are paused",
  newPasswordHint:
    "Leave empty to keep it. A new password signs the user out on all devices. At least 10 characters",
  generate: "Generate",
  rights: "Roles and permissions",
} as const
