import { expect, test } from "vitest";
import { deliveryMoment } from "../src/api/delivery-moment.ts";

const at = "2026-11-22T12:00:00.000Z";
const never = { sentAt: null, again: null, failure: null, failureFact: null };
const waiting = { ...never, state: "waiting", isBehind: false } as const;

test.each([
  ["delivered", { state: "sent", sentAt: at }, { is: "sent", at }],
  ["given up", { state: "failed", failure: "refused" }, { is: "failed", at: null }],
  ["over", { state: "failed", failureFact: { code: "delivery.over" } }, { is: "dropped", at: null }],
  [
    "part of another",
    { state: "failed", failureFact: { code: "delivery.merged" } },
    { is: "dropped", at: null },
  ],
  ["tried again", { again: at, failure: "no answer" }, { is: "next", at }],
  ["about to be sent for the first time", { again: at }, { is: "waiting", at: null }],
  ["behind an earlier one", { isBehind: true }, { is: "behind", at: null }],
] as const)("a message that is %s says so, and when", (_, message, expected) => {
  expect(deliveryMoment({ ...waiting, ...message })).toEqual(expected);
});
