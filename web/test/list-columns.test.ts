import { describe, expect, test } from "vitest";
import { arrange, listColumns } from "../src/monitors/device/list-columns.ts";

const words = {
  language: "en",
  running: { yes: "Yes", no: "No" },
  change: { installed: "Installed", removed: "Removed", updated: "Updated" },
};

const application = (name: string, more: object = {}) => ({
  ...{ name, version: "1.0", publisher: null, installPath: null, size: null, isRunning: false, ...more },
});

const names = (
  items: ReturnType<typeof application>[],
  { search = "", sort }: { search?: string; sort: string },
) =>
  arrange(items, listColumns.applications(words), { search, sort, language: "en" }).map(({ name }) => name);

describe("a list that an agent reported", () => {
  const items = [
    application("node-10", { size: 300 }),
    application("Bash", { publisher: "GNU", version: "5.2" }),
    application("node-9", { size: 2_000, isRunning: true }),
  ];

  test("is sorted as people count", () => {
    expect(names(items, { sort: "name" })).toEqual(["Bash", "node-9", "node-10"]);
    expect(names(items, { sort: "-name" })).toEqual(["node-10", "node-9", "Bash"]);
  });

  test("is sorted by what is meant, with what is not known last either way", () => {
    expect(names(items, { sort: "size" })).toEqual(["node-10", "node-9", "Bash"]);
    expect(names(items, { sort: "-size" })).toEqual(["node-9", "node-10", "Bash"]);
  });

  test("shows what has every word in any column", () => {
    expect(names(items, { search: "gnu 5.2", sort: "name" })).toEqual(["Bash"]);
    expect(names(items, { search: "NODE yes", sort: "name" })).toEqual(["node-9"]);
    expect(names(items, { search: "gnu node", sort: "name" })).toEqual([]);
  });

  test("stays as it is in an order that there is no column for", () => {
    expect(names(items, { sort: "nothing" })).toEqual(["node-10", "Bash", "node-9"]);
  });

  test("says where a connection goes, and that a socket only listens", () => {
    const [, , local, remote] = listColumns.network(words);
    const socket = {
      ...{ localAddress: "::", localPort: 443, remoteAddress: null, remotePort: null },
      ...{ protocol: "tcp" as const, status: "listen", processName: null },
    };
    expect([local?.text(socket), remote?.text(socket)]).toEqual(["[::]:443", "–"]);
  });
});
