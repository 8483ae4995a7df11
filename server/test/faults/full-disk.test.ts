import { describe, it } from "vitest";
import { surviveFullDisk } from "./full-disk.ts";
import { mountSmallDisk } from "./small-disk.ts";

describe("a disk without a byte left", () => {
  it("stops neither checks nor answers, says so once for each thing that fails, and costs no result once there is room", async ({
    skip,
  }) => {
    const missing = await surviveFullDisk(mountSmallDisk);
    if (missing) skip(missing);
  }, 240_000);
});
