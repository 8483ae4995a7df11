import { expect, test } from "vitest";
import { chooseNewer } from "../src/api/preferences.ts";

test.each([
  ["the account's on a browser that has chosen nothing", null, "dark", null, "dark"],
  ["the account's where it has changed since it was last seen here", "dark", "light", "dark", "light"],
  ["none where the account has been set back to none", "dark", null, "dark", null],
  ["what was chosen here before anybody signed in", "dark", null, null, "dark"],
  ["what was chosen here since, over the account's", "light", "dark", "dark", "light"],
  ["none where that was chosen here", null, "dark", "dark", null],
])("the choice that counts is %s", (_case, here, account, lastSeen, wanted) => {
  expect(chooseNewer(here, account, lastSeen)).toBe(wanted);
});
