import { namesIn, readText } from "../linux/read-file.ts";
import type { Application } from "../report.ts";
import { plain } from "./running.ts";
import { bytesIn, stanzasOf, withoutAddress } from "./stanzas.ts";

/** Packages of Debian and its relatives, from dpkg's own files (deb-control(5)). */
export function dpkgApplications(running: ReadonlySet<string>, root = "/var/lib/dpkg"): Application[] {
  const packages = stanzasOf(readText(`${root}/status`) ?? "").filter((fields) =>
    fields.get("Status")?.endsWith(" installed"),
  );
  if (packages.length === 0) return [];
  const busy = packagesOf(running, `${root}/info`);
  return packages.map((fields) => {
    const name = fields.get("Package") ?? "";
    return {
      name,
      version: fields.get("Version") ?? "",
      publisher: withoutAddress(fields.get("Maintainer")),
      installPath: null,
      size: bytesIn(fields.get("Installed-Size"), 1024),
      isRunning: busy.has(name),
    };
  });
}

/** Names of the packages that hold any of these files: a list of each package's files lies beside the others. */
function packagesOf(files: ReadonlySet<string>, folder: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of namesIn(folder).filter((name) => name.endsWith(".list"))) {
    const lines = (readText(`${folder}/${file}`) ?? "").split("\n");
    if (lines.some((line) => files.has(plain(line)))) names.add(file.replace(/(?::[^.]+)?\.list$/, ""));
  }
  return names;
}
