import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SCRIPT = `
  const { closeSync, openSync } = await import("node:fs");
  const { runPing } = await import(process.argv[1]);
  const open = [];
  try {
    for (;;) open.push(openSync("/dev/null"));
  } catch {}
  // The system has room for a pipe or two, and then none.
  runPing(["-c", "1", "127.0.0.1"], 5_000, (problem) => {
    open.forEach((file) => closeSync(file));
    console.log(problem);
  });
`;

test("a ping that the system has no files for fails by itself, and nothing else does", async () => {
  const ping = join(import.meta.dirname, "../../src/checks/icmp.ts");
  const limited = `ulimit -n 64; exec "$0" --input-type=module -e "$1" "$2"`;
  const { stdout } = await promisify(execFile)("sh", ["-c", limited, process.execPath, SCRIPT, ping]);
  expect(stdout).toBe("forbidden\n");
});
