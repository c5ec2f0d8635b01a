/** Runs Debian's package manager without questions. Returns false where it is missing or fails. */
export const apt = (...args: string[]): boolean =>
  Bun.which("apt-get") !== null &&
  Bun.spawnSync([...(process.getuid?.() === 0 ? [] : ["sudo", "-n"]), "apt-get", "-qq", ...args], {
    // In this run level no package starts its service.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  }).success
