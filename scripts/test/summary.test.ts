import { expect, it } from "vitest";
import { createTree, linkPackages, type Run, repository, runScript } from "./tree.ts";

/** Runs scripts/test.ts on a project of its own with these test files. */
function runTests(files: Record<string, string>): Promise<Run> {
  const tree = createTree({ "package.json": '{ "type": "module" }', ...files });
  linkPackages(tree);
  return runScript(tree, repository("scripts/test.ts"), [`--root=${tree.folder}`]);
}

const lastLine = ({ output }: Run) => output.trimEnd().split("\n").at(-1);
const test = (body: string) => `import { expect, it } from "vitest";\n${body}\n`;

it("ends with what passed, failed and was skipped, and why", async () => {
  const run = await runTests({
    "a.test.ts": test('it("a", () => {});\nit("b", (context) => context.skip("no browser here"));'),
    "b.test.ts": test('it("c", () => expect(1).toBe(2));'),
  });
  expect(lastLine(run)).toBe("1 passed, 1 failed, 1 skipped");
  expect(run.output).toContain("1 × no browser here");
  expect(run.code).toBe(1);
});

it("finds the reason of a suite that is skipped as a whole in its name", async () => {
  const run = await runTests({
    "a.test.ts": test(
      'import { describe } from "vitest";\ndescribe.skip("rooms (postgres; none here)", () => { it("a", () => {}); it("b", () => {}); });',
    ),
  });
  expect(lastLine(run)).toBe("0 passed, 0 failed, 2 skipped");
  expect(run.output).toContain("2 × none here");
});

it("exits with 0 when all is well", async () => {
  const run = await runTests({ "a.test.ts": test('it("a", () => {});') });
  expect(lastLine(run)).toBe("1 passed, 0 failed, 0 skipped");
  expect(run.code).toBe(0);
});

it("counts a file that does not load as a failure", async () => {
  const run = await runTests({ "a.test.ts": 'throw new Error("broken");\n' });
  expect(lastLine(run)).toBe("0 passed, 1 failed, 0 skipped");
  expect(run.code).toBe(1);
});

it("counts an error outside the tests as a failure", async () => {
  const run = await runTests({
    "a.test.ts": test(
      'it("a", () => void setTimeout(() => { throw new Error("late"); }, 1));\nit("b", () => new Promise((done) => setTimeout(done, 50)));',
    ),
  });
  expect(lastLine(run)).toBe("2 passed, 1 failed, 0 skipped");
  expect(run.code).toBe(1);
});

/** Fails in every run but the one that finds the file which the first leaves. */
const PASSES_SECOND = test(`
import { existsSync, writeFileSync } from "node:fs";
it("a", () => {
  const mark = import.meta.filename + ".mark";
  const second = existsSync(mark);
  writeFileSync(mark, "");
  expect(second).toBe(true);
});`);

it("runs what failed once more, and names what passed then", async () => {
  const run = await runTests({ "a.test.ts": PASSES_SECOND, "b.test.ts": test('it("b", () => {});') });
  expect(lastLine(run)).toBe("2 passed, 0 failed, 0 skipped");
  expect(run.output).toMatch(/passed when run again; to be mended:\n.*a\.test\.ts > a\n/);
  expect(run.code).toBe(0);
});

it("does not run many failures once more", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const run = await runTests(Object.fromEntries(names.map((name) => [`${name}.test.ts`, PASSES_SECOND])));
  expect(lastLine(run)).toBe("0 passed, 6 failed, 0 skipped");
  expect(run.code).toBe(1);
});
