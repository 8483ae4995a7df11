import { describe, it } from "vitest";
import { surviveFullDisk } from "./full-disk.ts";
import { limitedDisk } from "./small-disk.ts";

describe("a disk that refuses to let files grow", () => {
  it("stops neither checks nor answers, says so once for each thing that fails, and costs no result once there is room", async ({
    skip,
  }) => {
    const missing = await surviveFullDisk(limitedDisk);
    if (missing) skip(missing);
  }, 240_000);
});
