/** Runs Debian's package manager without questions. Returns false where it is missing or fails. */
export const apt = (...args: string[]): boolean =>
  Bun.which("apt-get") !== null &&
  Bun.spawnSync([...(process.getuid?.() === 0 ? [] : ["sudo", "-n"]), "apt-get", "-qq", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "inherit"],
  }).success
