import { expect, test, vi } from "vitest";
import { hang } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { startAlerts } from "./setup.ts";

/** As many messages of an organization as are under way at a time. */
const HANGING = 8;

eachEngine("a channel that has to wait for its turn beside others that hang", (engine) => {
  test("is sent what is so when its turn comes, and nothing where that is what it knows", async () => {
    const { ctx, add, addChannel, down, up, send, deliver, titles } = await startAlerts(engine);
    const slow = await startHttpTarget();
    for (let count = 0; count < HANGING; count += 1) await addChannel({ config: { url: slow.url } });
    await addChannel();
    const alpha = await add("Alpha");
    await down(alpha);
    await send();
    expect(titles()).toEqual(["Alpha is down"]);
    slow.set(hang);
    slow.requests.splice(0);
    await up(alpha);
    const transactions = vi.spyOn(ctx.store, "transaction");
    const delivering = deliver();
    await expect.poll(() => slow.requests.length, { timeout: 30_000 }).toBe(HANGING);
    // It has been looked for more to send since.
    const before = transactions.mock.calls.length;
    await expect.poll(() => transactions.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(before + 3);
    await down(alpha);
    await slow.close();
    await delivering;
    expect(titles()).toEqual(["Alpha is down"]);
  });
});
