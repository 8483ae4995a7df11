import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const GERMAN = globSync(["server/src/texts/**/de.ts", "web/src/**/de.json"], { cwd: ROOT });

/** What German does not call it, and what it does (CONTRIBUTING.md, Languages). */
const WORDS = [
  [/Störung/i, "an incident is a Vorfall; what is down has an Ausfall"],
  [/\bgering/i, "the lowest severity is niedrig"],
] as const;

test.each(WORDS)("%o stands nowhere in German: %s", (avoided) => {
  expect(GERMAN.length).toBeGreaterThan(20);
  expect(GERMAN.filter((file) => avoided.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});
