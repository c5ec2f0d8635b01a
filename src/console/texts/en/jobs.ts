import type { JobEndReason } from "../../../office/jobs/ended"

/** Why work in the background has ended, although nobody cancelled it. */
export const jobs = {
  ended: {
    USER_INACTIVE: "It was stopped, because the user who started it is not active any more.",
    SESSIONS_ENDED:
      "It was stopped, because the user who started it got a new password or signed out on all devices.",
    KEY_REVOKED:
      "It was stopped, because the API key that started it was revoked or rotated, or its user is not active any more.",
    KEY_EXPIRED: "It was stopped, because the API key that started it has expired.",
    APP_DISCONNECTED:
      "It was stopped, because the app that started it is not connected any more or its user is not active any more.",
  },
} as const satisfies { ended: Record<JobEndReason, string> }
