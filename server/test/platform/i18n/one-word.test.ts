import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const GERMAN = globSync(["server/src/platform/i18n/**/de.ts", "web/src/**/de.json"], { cwd: ROOT });

/** What German does not call it, and what it does (CONTRIBUTING.md, Languages). */
const WORDS = [
  [/Störung/i, "an incident is a Vorfall; what is down has an Ausfall"],
  [/\bgering/i, "the lowest severity is niedrig"],
  [
    /In Untersuchung|Ursache bekannt|Unter Beobachtung/i,
    "an incident is called what the status page calls it",
  ],
  [/\bgelöst/i, "an incident is behoben"],
] as const;

test.each(WORDS)("%o is nowhere in German: %s", (avoided) => {
  expect(GERMAN.length).toBeGreaterThan(20);
  expect(GERMAN.filter((file) => avoided.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});

const STAGES = ["open", "investigating", "identified", "monitoring", "resolved"] as const;

test.each(["de", "zh"] as const)(
  "visitors and the organization read one name of each state in %s",
  (language) => {
    const texts = (folder: string) =>
      readFileSync(join(ROOT, `server/src/platform/i18n/${folder}/${language}.ts`), "utf8");
    const stagesIn = (code: string) =>
      STAGES.map((stage) => new RegExp(`"stage\\.${stage}": "([^"]+)"`).exec(code)?.[1]);
    const visitors = stagesIn(texts("status-pages"));
    expect(visitors).not.toContain(undefined);
    const { status } = JSON.parse(readFileSync(join(ROOT, `web/src/incidents/${language}.json`), "utf8")) as {
      status: Record<string, string>;
    };
    expect(STAGES.map((stage) => status[stage])).toEqual(visitors);
    expect(stagesIn(texts("notifications"))).toEqual(visitors);
  },
);
