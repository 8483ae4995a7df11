import type { Application } from "../report.ts";
import { apkApplications } from "./apk.ts";
import { flatpakApplications, snapApplications } from "./bundles.ts";
import { dpkgApplications } from "./dpkg.ts";
import { pacmanApplications } from "./pacman.ts";
import { rpmApplications } from "./rpm.ts";
import { runningFiles } from "./running.ts";

/** What every package manager of this machine has installed, by name. */
export async function applicationsOnLinux(proc: string): Promise<Application[]> {
  const running = runningFiles(proc);
  const found = [
    dpkgApplications(running),
    apkApplications(running),
    pacmanApplications(running),
    await rpmApplications(running),
    await flatpakApplications(),
    await snapApplications(running),
  ];
  return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}
