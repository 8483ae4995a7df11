import type { Application } from "../report.ts";
import { outputOf } from "../run-command.ts";

interface Listed {
  _name?: string;
  version?: string;
  path?: string;
  obtained_from?: string;
  signed_by?: string[];
}

/** Applications that macOS itself knows of. `running`: command lines of what runs now. */
export async function applicationsOnMacos(running: readonly string[]): Promise<Application[]> {
  const text = await outputOf("system_profiler", ["SPApplicationsDataType", "-json"]);
  return text === null ? [] : parseProfile(text, running);
}

export function parseProfile(text: string, running: readonly string[]): Application[] {
  const { SPApplicationsDataType: listed = [] } = JSON.parse(text) as { SPApplicationsDataType?: Listed[] };
  return listed.map(({ _name = "", version = "", path, obtained_from: from, signed_by: signers = [] }) => ({
    name: _name,
    version,
    publisher:
      /^Developer ID Application: (.+?)(?: \(\w+\))?$/.exec(signers[0] ?? "")?.[1] ?? publisherOf(from),
    installPath: path ?? null,
    size: null,
    isRunning: path !== undefined && running.some((command) => command.startsWith(`${path}/`)),
  }));
}

const publisherOf = (from: string | undefined) => (from === "apple" ? "Apple" : null);
