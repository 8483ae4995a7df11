import { expect, it, onTestFinished } from "vitest";
import { hang } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { openHouse } from "./house.ts";

it("ends with 0 within ten seconds though a thousand checks and an answer hang", async () => {
  const target = await startHttpTarget({ handler: hang });
  onTestFinished(() => target.close());
  const house = await openHouse();
  await house.addDomains(
    Array.from({ length: 1_000 }, (_, i) => `${target.url}${i}`),
    { checkInterval: 60, timeout: 30 },
  );
  await eventually(target.connections, (count) => count >= 1_000, 60_000);
  const slow = house
    .request(`/api/domains/fetch-title?url=${encodeURIComponent(target.url)}`)
    .catch(() => null);
  await eventually(target.connections, (count) => count >= 1_001, 20_000);
  const begun = performance.now();
  expect(await house.server.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await slow;
}, 240_000);
