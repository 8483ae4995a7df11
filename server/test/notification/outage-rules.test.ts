import { expect, test } from "vitest";
import { type Standing, stepsFor } from "../../src/notification/channel/outage-rules.ts";

const [SHOP, BANK] = [1, 2];
const [TEAM, PAGER, MAIL] = [7, 8, 9];

const outage = (id: number, more: Partial<Standing> = {}): Standing => ({
  ...{ id, threadId: 1, channelId: TEAM, monitorId: id, toldAt: 10, endedAt: null },
  ...{ incidentId: 5, leadId: SHOP, isInMaintenance: false, ...more },
});
const over = { endedAt: 20 };
const silent = { toldAt: null };

const stepsIn = (outages: readonly Standing[], down: readonly number[] = []) =>
  stepsFor(outages, {
    isAlone: (channelId) => channelId === PAGER,
    isWhole: (channelId) => channelId === MAIL,
    isDown: ({ monitorId }) => down.includes(monitorId),
  }).map((step) => {
    const named = step.is === "over" ? step.named : step.is === "untold" ? [step.first] : [];
    return `${step.is}: ${named.map(({ id }) => id).join()}`;
  });

test.each([
  ["nothing while one is down that was told", [outage(1, over), outage(2, silent)], []],
  [
    "the end of all, once nothing is down, the one that leads first",
    [outage(2, over), outage(1, over)],
    ["over: 1,2"],
  ],
  ["nothing of the end of what nobody was told of", [outage(1, { ...over, ...silent })], ["forgotten: "]],
  ["of what nobody was told of, and is down", [outage(2, silent), outage(3, silent)], ["untold: 2"]],
  [
    "of the first that is in no maintenance window",
    [outage(2, { ...silent, isInMaintenance: true }), outage(3, silent)],
    ["untold: 3"],
  ],
  ["of none while all are in a maintenance window", [outage(2, { ...silent, isInMaintenance: true })], []],
  [
    "of each incident by itself, which may have come to others",
    [outage(1, over), outage(2, { ...silent, incidentId: 6 })],
    ["over: 1", "untold: 2"],
  ],
  [
    "of each by itself where there is no incident",
    [outage(1, { ...over, incidentId: null }), outage(2, { incidentId: null })],
    ["over: 1"],
  ],
  [
    "programs of each by itself",
    [outage(1, { ...over, channelId: PAGER }), outage(2, { channelId: PAGER })],
    ["over: 1"],
  ],
  [
    "of each thread by itself, where its messages belong to the first",
    [outage(1, over), outage(2, { threadId: 2 }), outage(3, { threadId: 3, ...over })],
    ["over: 1", "over: 3"],
  ],
  [
    "of all threads of an incident together elsewhere, once nothing is down",
    [outage(1, { ...over, channelId: MAIL }), outage(2, { threadId: 2, channelId: MAIL })],
    [],
  ],
  [
    "of their end in one message",
    [outage(2, { ...over, channelId: MAIL }), outage(1, { ...over, threadId: 2, channelId: MAIL })],
    ["over: 1,2"],
  ],
  [
    "once that a monitor is up which was down twice",
    [outage(1, over), outage(2, over), outage(3, { ...over, monitorId: SHOP, threadId: 2, incidentId: 6 })],
    ["over: 2", "over: 3"],
  ],
])("channels are told %s", (_, outages, steps) => {
  expect(stepsIn(outages)).toEqual(steps);
});

test("nobody is told that something is up which is down once more", () => {
  const outages = [outage(SHOP, over), outage(BANK, over)];
  expect(stepsIn(outages, [SHOP])).toEqual(["over: 2"]);
  expect(stepsIn(outages, [SHOP, BANK])).toEqual(["forgotten: "]);
});
