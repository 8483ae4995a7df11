import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { offeredTools } from "../../src/app/http/described.ts";
import { isForAssistant } from "../../src/assistant/tools/assistant-tools.ts";
import { SUBJECT_FIELDS } from "../../src/assistant/tools/run-tool.ts";
import { fieldsOf } from "../../src/assistant/tools/tool.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FILES = globSync("web/src/frame/assistant/tools/*.json", { cwd: ROOT });
const tools = [...offeredTools().values()].filter(isForAssistant);

test("there are words for what the assistant calls in every language of the app", () => {
  const codesOf = (folder: string) =>
    globSync(`${folder}/??.json`, { cwd: ROOT }).map((file) => file.slice(folder.length));
  expect(codesOf("web/src/frame/assistant/tools").toSorted()).toEqual(codesOf("web/src/i18n").toSorted());
});

describe.each(FILES)("%s", (file) => {
  const { title, field } = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as Record<string, object>;

  test("has a title for each tool that the assistant may call, and for no other", () => {
    expect(Object.keys(title ?? {}).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  test("names fields that there are", () => {
    const fields = tools.flatMap(({ input }) => Object.keys(fieldsOf(input)));
    const known = new Set([...fields, ...SUBJECT_FIELDS]);
    expect(Object.keys(field ?? {}).filter((name) => !known.has(name))).toEqual([]);
  });
});
