import { real } from "../clock"

export const logLevels = ["error", "warn", "info", "debug"] as const
export type LogLevel = (typeof logLevels)[number]
export type Fields = Record<string, unknown>

/** Logs one JSON object per line to stderr. The lines of one turn of the event loop are written together. */
export type Log = Record<LogLevel, (message: string, fields?: Fields) => void> & {
  shows(level: LogLevel): boolean
  flush(): void
}

export function stderrLog(level: LogLevel, write: (text: string) => void = toStderr): Log {
  const shown = logLevels.indexOf(level)
  let waiting = ""

  const flush = () => {
    if (!waiting) return
    const text = waiting
    waiting = ""
    write(text)
  }

  const shows = (of: LogLevel) => logLevels.indexOf(of) <= shown

  const line = (of: LogLevel) =>
    !shows(of)
      ? () => {}
      : (message: string, fields?: Fields) => {
          if (!waiting) setImmediate(flush)
          waiting += `${JSON.stringify({ time: real.now(), level: of, message, ...fields })}\n`
        }

  return { error: line("error"), warn: line("warn"), info: line("info"), debug: line("debug"), shows, flush }
}

function toStderr(text: string): void {
  process.stderr.write(text)
}
