import { msg } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import { entryAt, type FileEntry, type FileFormat, FileProblem } from "./file-entry.ts";
import { isPlain, listOf, own } from "./monitor-names.ts";
import { fillIn, hasKey, readYaml, type YamlFile } from "./yaml-file.ts";

export const VEDETTE_VERSION = 1;

export const SECTIONS = { domain: "domains", service: "services" } as const satisfies Record<
  CheckedKind,
  string
>;

/** Written by `GET /v2/exports`: bodies of create calls. */
export const vedette: FileFormat = {
  isLike: (content) => hasKey(content, "vedette"),
  read(content, { variables }) {
    const file = readYaml(content);
    if (own(file.value, "vedette") !== VEDETTE_VERSION)
      throw new FileProblem(msg("import.version", { version: VEDETTE_VERSION }));
    const missing = new Set<string>();
    const kinds = Object.keys(SECTIONS) as CheckedKind[];
    const entries = kinds.flatMap((kind) =>
      listOf(own(file.value, SECTIONS[kind])).map((_, at) =>
        entryOf(file, kind, at, (value, lacking) => {
          const filled = fillIn(value, variables, lacking);
          for (const name of lacking) missing.add(name);
          return filled;
        }),
      ),
    );
    return { entries, notes: [], missing: [...missing] };
  },
};

function entryOf(
  { value, lineOf }: YamlFile,
  kind: CheckedKind,
  at: number,
  fill: (value: unknown, missing: Set<string>) => unknown,
): FileEntry {
  const path = [SECTIONS[kind], at];
  const line = lineOf(path);
  const exported = listOf(own(value, SECTIONS[kind]))[at];
  if (!isPlain(exported)) return { ...entryAt(line, kind, {}), problem: msg("import.nothing") };
  const lacking = new Set<string>();
  const body = fill(exported, lacking) as Record<string, unknown>;
  const names = [...lacking].join(", ");
  return { ...entryAt(line, kind, body), problem: names === "" ? null : msg("import.variables", { names }) };
}
