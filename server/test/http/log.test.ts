import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLogger } from "../../src/http/log.ts";

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const stream = new PassThrough();
  write(createLogger("info", stream));
  return String(stream.read() ?? "");
}

const TOKEN = `vdt_${"k".repeat(43)}`;

test("no token reaches the log, wherever in a line it stands", () => {
  const line = logged((log) =>
    log.error(
      { err: new Error(`refused Bearer ${TOKEN}`), url: `/x?key=${TOKEN}`, list: [`vda_${"a".repeat(43)}`] },
      `cookie vedette_session=${"s".repeat(43)}; and whsec_${"w".repeat(32)}`,
    ),
  );
  for (const secret of ["kkkk", "aaaa", "ssss", "wwww"]) expect(line).not.toContain(secret);
  expect(line).toContain("vdt_…");
});

test("no password reaches the log, and everything else does", () => {
  const line = logged((log) =>
    log.info({ password: "hush", body: { password: "hush", token: "hush", name: "Ada" } }, "told"),
  );
  expect(line).not.toContain("hush");
  expect(JSON.parse(line)).toMatchObject({ msg: "told", body: { name: "Ada" } });
});
