import { expect, it } from "vitest";
import { createTree, linkPackages, repository, runScript } from "./tree.ts";

/** Runs scripts/test.ts on a project of its own with these test files. */
async function runTests(files: Record<string, string>) {
  const tree = createTree({ "package.json": '{ "type": "module" }', ...files });
  linkPackages(tree);
  const run = await runScript(tree, repository("scripts/test.ts"), [`--root=${tree.folder}`]);
  return { ...run, last: run.output.trimEnd().split("\n").at(-1) };
}

const test = (body: string) => `import { describe, expect, it } from "vitest";\n${body}\n`;
/** Fails in every run but the one that finds the file which the first leaves. */
const PASSES_SECOND = test(`
import { existsSync, writeFileSync } from "node:fs";
it("a", () => {
  const second = existsSync(import.meta.filename + ".mark");
  writeFileSync(import.meta.filename + ".mark", "");
  expect(second).toBe(true);
});`);

it("ends with what passed, failed and was skipped, and why", async () => {
  const { last, output, code } = await runTests({
    "a.test.ts": test('it("a", () => {});\nit("b", (context) => context.skip("no browser here"));'),
    "b.test.ts": test('it("c", () => expect(1).toBe(2));'),
    "c.test.ts": test('describe.skip("rooms (postgres; none here)", () => { it("a", () => {}); });'),
    "d.test.ts": 'throw new Error("broken");\n',
  });
  expect([last, code]).toEqual(["1 passed, 2 failed, 2 skipped", 1]);
  expect(output).toContain("1 × no browser here");
  expect(output).toContain("1 × none here");
});

it("counts an error outside the tests as a failure", async () => {
  const late = 'it("a", () => void setTimeout(() => { throw new Error("late"); }, 1));';
  const after = 'it("b", () => new Promise((done) => setTimeout(done, 50)));';
  const { last, code } = await runTests({ "a.test.ts": test(`${late}\n${after}`) });
  expect([last, code]).toEqual(["2 passed, 1 failed, 0 skipped", 1]);
});

it("runs what failed once more, and names what passed then", async () => {
  const { last, output, code } = await runTests({ "a.test.ts": PASSES_SECOND });
  expect([last, code]).toEqual(["1 passed, 0 failed, 0 skipped", 0]);
  expect(output).toMatch(/passed when run again; to be fixed:\n.*a\.test\.ts > a\n/);
});
