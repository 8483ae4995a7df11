import type { Application } from "../report.ts";
import { outputOf } from "../run-command.ts";

/** Applications installed by flatpak. */
export async function flatpakApplications(): Promise<Application[]> {
  const columns = "--columns=application,version,origin,size,branch";
  const text = await outputOf("flatpak", ["list", "--app", columns]);
  if (text === null) return [];
  const running = new Set((await outputOf("flatpak", ["ps", "--columns=application"]))?.split("\n"));
  return linesOf(text).map((line) => {
    const [name = "", version = "", origin = "", size = "", branch = ""] = line.split("\t");
    return {
      ...{ name, version: version || branch, publisher: origin || null },
      ...{ installPath: null, size: bytesOf(size), isRunning: running.has(name) },
    };
  });
}

/** Applications installed by snap, from `snap list`: columns apart by blanks, below one line of headings. */
export async function snapApplications(running: ReadonlySet<string>): Promise<Application[]> {
  const text = await outputOf("snap", ["list", "--color=never", "--unicode=never"]);
  if (text === null) return [];
  const busy = new Set(
    Array.from(running, (path) => /^\/(?:var\/lib\/snapd\/)?snap\/([^/]+)\//.exec(path)?.[1]),
  );
  return linesOf(text)
    .slice(1)
    .map((line) => {
      const [name = "", version = "", , , publisher = ""] = line.split(/\s+/);
      return {
        ...{ name, version, publisher: publisher.replace(/\*+$/, "") || null },
        ...{ installPath: `/snap/${name}`, size: null, isRunning: busy.has(name) },
      };
    });
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

const UNITS: Readonly<Record<string, number>> = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** `1.2 GB`, also with a blank that does not break. */
function bytesOf(text: string): number | null {
  const found = /^([\d.,]+)\s*(\w+)$/.exec(text.trim());
  const unit = UNITS[found?.[2] ?? ""];
  return found?.[1] === undefined || unit === undefined
    ? null
    : Math.round(Number(found[1].replace(",", ".")) * unit);
}
