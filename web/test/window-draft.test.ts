import { expect, test } from "vitest";
import type { MaintenanceWindow } from "../src/api/maintenance.ts";
import { bodyOf, changesOf, draftOf } from "../src/maintenance/window-draft.ts";

const muted = {
  title: "Maintenance",
  description: "",
  startsAt: "2026-11-23T12:34:56.789Z",
  duration: 3_600,
  timeZone: "Europe/Berlin",
  recurrence: null,
  until: null,
  everything: true,
  tags: [],
  monitors: [],
} as unknown as MaintenanceWindow;

test("a window that is renamed keeps its beginning, which its form shows to the minute", () => {
  const first = draftOf(muted);
  const before = bodyOf(first, () => undefined);
  const renamed = bodyOf({ ...first, title: "Disks" }, () => undefined);
  expect(renamed && changesOf(renamed, before)).toEqual({ title: "Disks" });
  const longer = bodyOf({ ...first, amount: "2" }, () => undefined);
  expect(longer && changesOf(longer, before)).toEqual({ duration: 7_200 });
});
