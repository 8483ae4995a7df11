/** Attacks by what a tenant hands in: files to import, and reports of its devices. */
import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type Attack, send, sendMany } from "./hostile-clients.ts";

const row = (text: string, times: number) => text.repeat(times);

const FILES: Readonly<Record<string, () => string>> = {
  "100,000 lines": () => row("https://example.com/\n", 90_000),
  "a table of 50,000 rows": () => `name,url\n${row("a,https://example.com/\n", 50_000)}`,
  "quotes without an end": () => `name,url\n${row('"', 1_000_000)}`,
  "anchors that multiply": () =>
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 8 }, (_, n) => `${"bcdefghi"[n]}: &${"bcdefghi"[n]} [${row(`*${"abcdefgh"[n]},`, 9)}]`).join("\n")}`,
  "YAML of nested lists": () => `endpoints:\n  ${row("- ", 50_000)}x`,
  "Gatus with 50,000 endpoints": () => `endpoints:\n${row("  - name: a\n    url: http://a.test\n", 25_000)}`,
  "JSON of nested arrays": () => row("[", 1_000_000),
  "Kuma with many monitors": () =>
    `{"version":"1","monitorList":[${row('{"type":"http","url":"http://a.test"},', 30_000)}{}]}`,
};
export const files: Attack[] = Object.entries(FILES).map(([name, make]) => ({
  ...{ name: `a file to import: ${name}`, by: "tenant" },
  run: (aim) => send(aim, { path: "/api/imports", isKnown: true, body: JSON.stringify({ content: make() }) }),
}));

const many = (length: number, text: (at: number) => string) =>
  Array.from({ length }, (_, at) => text(at)).join();
const REPORTS: Readonly<Record<string, () => string[]>> = {
  "one wide object": () => [`"metrics":{${many(150_000, (at) => `"c${at}":1`)}}`],
  "as many metrics as fit": () =>
    Array.from({ length: 100 }, () => `"metrics":{${many(1_000, (at) => `"c${at}.usage":1`)}}`),
  "empty rows": () =>
    Array.from({ length: 100 }, () => `"applications":{"total":1,"items":[${row("{},", 1_900)}{}]}`),
};
const AGENT = { version: "1", machineId: "m", bootId: "b", instance: randomUUID(), run: randomUUID() };
export const reports: Attack[] = Object.entries(REPORTS).map(([name, make]) => ({
  ...{ name: `a device's reports: ${name}`, by: "tenant" },
  run(aim) {
    const parts = make().map((part, at) => `{"sequence":${at + 1},"at":1,${part}}`);
    const body = gzipSync(
      `{"agent":${JSON.stringify(AGENT)},"sentAt":1,"dropped":0,"reports":[${parts.join()}]}`,
    );
    const headers = { authorization: `Bearer ${aim.deviceToken}`, "content-encoding": "gzip" };
    return sendMany(aim, 5, () => ({ path: "/api/agent/report", body, headers }));
  },
}));
