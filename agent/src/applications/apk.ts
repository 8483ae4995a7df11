import { readText } from "../linux/read-file.ts";
import type { Application } from "../report.ts";
import { plain } from "./running.ts";
import { bytesIn, withoutAddress } from "./stanzas.ts";

/** Packages of Alpine: lines of one letter each, an empty line between packages; `F:` is a folder, `R:` a file in it. */
export function apkApplications(running: ReadonlySet<string>, file = "/lib/apk/db/installed"): Application[] {
  return (readText(file) ?? "").split("\n\n").flatMap((block) => {
    const lines = block.split("\n").map((line) => [line.slice(0, 1), line.slice(2)] as const);
    const fields = new Map(lines);
    const name = fields.get("P");
    if (name === undefined) return [];
    return [
      {
        name,
        version: fields.get("V") ?? "",
        publisher: withoutAddress(fields.get("m")),
        installPath: null,
        size: bytesIn(fields.get("I")),
        isRunning: holdsAny(lines, running),
      },
    ];
  });
}

function holdsAny(lines: readonly (readonly [string, string])[], running: ReadonlySet<string>): boolean {
  let folder = "";
  for (const [letter, value] of lines) {
    if (letter === "F") folder = value;
    else if (letter === "R" && running.has(plain(`/${folder}/${value}`))) return true;
  }
  return false;
}
