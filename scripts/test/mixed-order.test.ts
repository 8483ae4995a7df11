import { expect, it } from "vitest";
import { spread } from "../mixed-order.ts";

it("spreads a few evenly among many, each in its own order", () => {
  expect(spread(["A", "B"], ["1", "2", "3", "4"])).toEqual(["1", "A", "2", "3", "B", "4"]);
  expect(spread([], ["1", "2"])).toEqual(["1", "2"]);
  expect(spread(["A", "B"], [])).toEqual(["A", "B"]);
});
