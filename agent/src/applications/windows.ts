import type { Application } from "../report.ts";
import { outputOf } from "../run-command.ts";
import { bytesIn } from "./stanzas.ts";

/** Where installers say what they have installed: for all, for all in 32 bits, for this user. */
const KEYS = [
  "HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
  "HKLM\\SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
  "HKCU\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
];

/** Programs that the registry of Windows knows of. `running`: paths of what runs now. */
export async function applicationsOnWindows(running: readonly string[]): Promise<Application[]> {
  const found = new Map<string, Application>();
  for (const key of KEYS) {
    const text = await outputOf("reg", ["query", key, "/s"]);
    for (const one of parseRegistry(text ?? "", running)) found.set(`${one.name}\n${one.version}`, one);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What `reg query KEY /s` prints: a line with each key, below it lines `    Name    REG_SZ    value`. */
export function parseRegistry(text: string, running: readonly string[]): Application[] {
  return text.split(/\r?\n(?=HKEY_)/).flatMap((block) => {
    const lines = block.matchAll(/^ {4}(\S.*?) {4}REG_\w+ {4}(.*?)\r?$/gm);
    const values = new Map(Array.from(lines, ([, name = "", value = ""]) => [name, value]));
    const name = values.get("DisplayName");
    // Parts of Windows, and updates of something else.
    if (!name || values.get("SystemComponent") === "0x1" || values.has("ParentKeyName")) return [];
    const path = values.get("InstallLocation")?.replace(/^"|"$/g, "").replace(/\\$/, "") || null;
    return [
      {
        ...{ name, version: values.get("DisplayVersion") ?? "", publisher: values.get("Publisher") || null },
        ...{ installPath: path, size: bytesIn(values.get("EstimatedSize"), 1024) },
        isRunning: path !== null && running.some((file) => isBelow(file, path)),
      },
    ];
  });
}

const isBelow = (file: string, folder: string) => file.toLowerCase().startsWith(`${folder.toLowerCase()}\\`);
