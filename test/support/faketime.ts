import { ofDebian } from "../../scripts/debian"
import { program } from "./kontor"

/** The program with a clock that differs from the right one: `+365d` is a year ahead. Durations stay as they are. */
export const withClock = (offset: string): string[] => [
  "env",
  `LD_PRELOAD=${ofDebian("libfaketime")}`,
  `FAKETIME=${offset}`,
  "FAKETIME_DONT_FAKE_MONOTONIC=1",
  ...program,
]
