import { cookieAt } from "../../core/http/request/cookie"

export const sessionPath = "/console/session"

/** The cookie with the refresh token of the console, for the port and the protocol at which the browser is. */
export const sessionCookie = ({ port, protocol }: URL) =>
  cookieAt({
    name: "kontor_session",
    path: sessionPath,
    sameSite: "Strict",
    port,
    isHttps: protocol === "https:",
  })
