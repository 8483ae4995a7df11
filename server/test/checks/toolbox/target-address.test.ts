import { describe, expect, it } from "vitest";
import { targetAddress } from "../../../src/checks/toolbox/target-address.ts";
import type { Resolution, ResolvedAddress } from "../../../src/platform/formats/host.ts";
import { toolEnvironment } from "./run-tool.ts";

/** No system lets an ordinary socket use it, as one without IPv6 lets none use those addresses. */
const NO_WAY: ResolvedAddress = { address: "255.255.255.255", family: 4 };
const HERE: ResolvedAddress = { address: "127.0.0.1", family: 4 };

async function addressOf(resolution: Resolution) {
  const resolver = { resolve: () => Promise.resolve(resolution) };
  const environment = await toolEnvironment({}, { resolver, isOwn: true });
  return (await targetAddress("shop.example", "target", environment)).address;
}

describe("the address of a target", () => {
  it("is the first that the machine knows a way to", async () => {
    expect(await addressOf({ addresses: [NO_WAY, HERE], late: null })).toBe(HERE.address);
    expect(await addressOf({ addresses: [NO_WAY], late: Promise.resolve([HERE]) })).toBe(HERE.address);
  });

  it("is the first of all where there is a way to none", async () => {
    expect(await addressOf({ addresses: [NO_WAY], late: null })).toBe(NO_WAY.address);
  });
});
