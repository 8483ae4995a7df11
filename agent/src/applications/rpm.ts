import type { Application } from "../report.ts";
import { outputOf } from "../run-command.ts";
import { bytesIn } from "./stanzas.ts";

/** Between fields; no name, version or publisher holds it. */
const TAB = "\t";
const FORMAT = "%{NAME}\\t%{VERSION}-%{RELEASE}\\t%{VENDOR}\\t%{SIZE}\\n";
/** How many paths are queried in one go: command lines have a limit. */
const SLICE = 200;

/** Packages of Fedora, Red Hat, SUSE and their relatives; their database is in no form that could be read without `rpm`. */
export async function rpmApplications(running: ReadonlySet<string>): Promise<Application[]> {
  const text = await outputOf("rpm", ["-qa", "--qf", FORMAT]);
  if (text === null) return [];
  const busy = await packagesOf([...running]);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", version = "", vendor = "", size = ""] = line.split(TAB);
      return {
        ...{ name, version, publisher: vendor === "(none)" ? null : vendor || null, installPath: null },
        ...{ size: bytesIn(size), isRunning: busy.has(name) },
      };
    });
}

async function packagesOf(files: readonly string[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let at = 0; at < files.length; at += SLICE) {
    // As they may lie below /usr, and not: `rpm` says of each that it does not know which of them is none.
    const paths = files.slice(at, at + SLICE).flatMap((file) => [file, `/usr${file}`]);
    const text = await outputOf("sh", [
      "-c",
      'rpm -qf --qf "%{NAME}\\n" -- "$@" 2>/dev/null; true',
      "sh",
      ...paths,
    ]);
    for (const name of text?.split("\n") ?? []) names.add(name);
  }
  return names;
}
