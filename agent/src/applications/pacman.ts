import { namesIn, readText } from "../linux/read-file.ts";
import type { Application } from "../report.ts";
import { plain } from "./running.ts";
import { bytesIn, withoutAddress } from "./stanzas.ts";

/** Packages of Arch Linux: a folder each, whose `desc` and `files` have sections such as `%NAME%`. */
export function pacmanApplications(
  running: ReadonlySet<string>,
  root = "/var/lib/pacman/local",
): Application[] {
  return namesIn(root).flatMap((folder) => {
    const fields = sectionsOf(readText(`${root}/${folder}/desc`) ?? "");
    const name = fields.get("NAME")?.[0];
    if (name === undefined) return [];
    const files = sectionsOf(readText(`${root}/${folder}/files`) ?? "").get("FILES") ?? [];
    return [
      {
        name,
        version: fields.get("VERSION")?.[0] ?? "",
        publisher: withoutAddress(fields.get("PACKAGER")?.[0]),
        installPath: null,
        size: bytesIn(fields.get("SIZE")?.[0]),
        isRunning: files.some((path) => running.has(plain(`/${path}`))),
      },
    ];
  });
}

function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const sections = text.split("\n\n").map((block) => block.trim().split("\n"));
  return new Map(sections.map(([title = "", ...lines]) => [title.replaceAll("%", ""), lines]));
}
