import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { listFiles } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

const LIMITS = "scripts/checks/ratchets.json";
const ROOTS = ["server/src", "web/src"] as const;
const FRAGMENT_LINES = 60;
const IMPORT = /(?:^|[\s(])(?:from|import)\s*\(?\s*"(\.[^"]+)"/gm;

/** Words of our own for what the field has a term for (CONTRIBUTING.md, Words); as words, and as parts of names. */
const PRIVATE_WORDS = `
  told untold tell tells heard hear hears graver gravest judge judges judged spell spells spelled respell fact facts wire kept settle settles
  settled stand stands standing stood stretch stretches figures doubt believed believes aside arrival arrivals intake moments stranger strangers
  trouble somebody nobody whoever patience forge entrance mend mends mended ask asks asked asking question questions notice notices news dispatch
  gather gathers pace paced lanes
`.match(/[a-z]+/g);

/** Names that others have given: of libraries, of HTML, of the DNS, and reserved words of addresses; and a German noun. */
const FOREIGN = [
  // The DNS calls it that.
  "dns_question",
  "allSettled",
  "PromiseSettledResult",
  "onSettled",
  "spellCheck",
  "spellcheck",
  "ShieldQuestion",
  "Dispatch",
  "dispatch",
  "Stand",
];
/** What clients know by a name that is no word of its own: an event, a hint of schemas, a metric, a field. And an element of HTML. */
const PUBLISHED = /monitor\.settled|x-kept|vedette_clock_believed|\bfigures(?=:)|<\/?aside\b/g;
/** They say what things were called. */
const MIGRATIONS = "/database/migrations/";
/** What clients know stays as it is: names in the snapshot of the API, in either spelling. */
const API = "openapi/routes.txt";

interface SourceFile {
  path: string;
  text: string;
  lines: number;
  imports: readonly string[];
}

/**
 * What the code has too much of: each count may only fall. `ratchets.json` has the limits; a change that lowers a count writes it there
 * with `npm run ratchets`.
 */
export async function checkRatchets(): Promise<StepResult> {
  const limits = JSON.parse(readFileSync(LIMITS, "utf8")) as Record<string, number>;
  const findings = Object.entries(countAll()).flatMap(([name, count]) => {
    const limit = limits[name] ?? 0;
    return count > limit ? [`${name}: ${count}, and may be ${limit} at most (${LIMITS}).`] : [];
  });
  return fromFindings(findings);
}

function countAll(): Record<string, number> {
  const counts: Record<string, number> = {};
  const staying = namesThatStay();
  for (const root of ROOTS) {
    const files = listFiles(root)
      .filter((path) => /\.tsx?$/.test(path))
      .map(readSource);
    counts[`files in ${root}`] = files.length;
    counts[`lines in ${root}`] = files.reduce((sum, { lines }) => sum + lines, 0);
    counts[`files under ${FRAGMENT_LINES} lines with one importer in ${root}`] = countFragments(files);
    counts[`pairs of folders that import each other in ${root}`] = countMutualPairs(root, files);
    counts[`private words in ${root}`] = files
      .filter(({ path }) => !path.includes(MIGRATIONS))
      .reduce((sum, { text }) => sum + countWords(text, staying), 0);
  }
  return counts;
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, specifier]) =>
    normalize(join(dirname(path), specifier ?? "")),
  );
  return { path, text, lines: text.split("\n").length - 1, imports: [...new Set(imports)] };
}

function countFragments(files: readonly SourceFile[]): number {
  const importers = new Map<string, number>();
  for (const file of files.flatMap(({ imports }) => imports))
    importers.set(file, (importers.get(file) ?? 0) + 1);
  return files.filter(({ path, lines }) => lines < FRAGMENT_LINES && importers.get(path) === 1).length;
}

/** Of the folders directly below the root. Types count. */
function countMutualPairs(root: string, files: readonly SourceFile[]): number {
  const folderOf = (path: string) => /^[^/]+(?=\/)/.exec(path.slice(root.length + 1))?.[0];
  const uses = new Set(
    files.flatMap(({ path, imports }) => {
      const from = folderOf(path);
      return imports.flatMap((file) => {
        const to = file.startsWith(`${root}/`) ? folderOf(file) : undefined;
        return from && to && from !== to ? [`${from} ${to}`] : [];
      });
    }),
  );
  const mutual = [...uses].filter((use) => uses.has(use.split(" ").toReversed().join(" ")));
  return mutual.length / 2;
}

const WORDS = new Set<string>(PRIVATE_WORDS);
const NAME = /[A-Za-z_$][\w$]*/g;

function namesThatStay(): ReadonlySet<string> {
  const names: string[] = readFileSync(API, "utf8").match(NAME) ?? [];
  const properties = names.map((name) =>
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  // A name of one word is a word like any other.
  const ofSeveral = [...names, ...properties].filter((name) => /[A-Z_]/.test(name.slice(1)));
  return new Set([...ofSeveral, ...FOREIGN]);
}

/** `toldMembers`, `TOLD`, `isTold` and "told" are one each. */
function countWords(text: string, staying: ReadonlySet<string>): number {
  const names = (text.replaceAll(PUBLISHED, "").match(NAME) ?? []).filter((name) => !staying.has(name));
  const words = names.flatMap((name) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []);
  return words.filter((word) => WORDS.has(word.toLowerCase())).length;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(LIMITS, `${JSON.stringify(countAll(), null, 2)}\n`);
}
