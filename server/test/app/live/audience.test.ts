import { expect, test } from "vitest";
import { type Audience, createAudiences, type Subscriber } from "../../../src/app/live/audience.ts";
import { shareEvent } from "../../../src/app/live/shared-event.ts";

const MB = 1024 * 1024;
const subscriberOf = (audience: Audience): Subscriber => ({
  reader: {} as Subscriber["reader"],
  audience,
  position: 0,
  waits: false,
});
const event = (id: number, sizeBytes: number) => ({
  id,
  type: "status" as const,
  sizeBytes,
  payload: "{}",
  text: () => Buffer.alloc(0),
});

test("organizations without a listener take nothing from those that have one", () => {
  const audiences = createAudiences();
  for (let id = 1; id <= 100; id += 1) {
    const subscriber = subscriberOf(audiences.open(id, 0));
    audiences.enter(subscriber);
    audiences.leave(subscriber);
  }
  const audience = audiences.open(101, 0);
  audiences.enter(subscriberOf(audience));
  expect([audiences.limitBytes(audience), audiences.budgetBytes(audience)]).toEqual([6 * MB, 4 * MB]);
});

test("all of them together keep no more than 48 MB", () => {
  const audiences = createAudiences();
  const all = Array.from({ length: 40 }, (_, id) => audiences.open(id, 0));
  const inAll = () => all.reduce((sum, { tail }) => sum + tail.sizeBytes, 0);
  let id = 0;
  for (const [at, audience] of all.entries()) {
    const subscriber = subscriberOf(audience);
    audiences.enter(subscriber);
    for (let n = 0; n < 60; n += 1) audience.tail.append(event((id += 1), MB / 8));
    audience.tail.trim(audiences.limitBytes(audience));
    if (at % 3 === 0) audiences.leave(subscriber);
    // The newest event is always buffered.
    expect(inAll()).toBeLessThanOrEqual(48 * MB + 40 * (MB / 8));
  }
});

test("an event is as large as its bytes, not its characters", () => {
  const cursors = {} as Parameters<typeof shareEvent>[1];
  const sizeOf = (payload: string) =>
    shareEvent({ id: 1, organizationId: 1, type: "status", payload }, cursors)?.sizeBytes ?? 0;
  expect(sizeOf("监".repeat(100)) - sizeOf("")).toBe(300);
});
