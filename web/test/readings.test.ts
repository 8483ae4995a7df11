import { describe, expect, test, vi } from "vitest";
import { type Reading, together } from "../src/components/chart-data.ts";

const reading = <Data>(change: Partial<Reading<Data>>): Reading<Data> => ({
  data: undefined,
  dataUpdatedAt: 0,
  error: null,
  isFetching: false,
  refetch: vi.fn<() => void>(),
  ...change,
});
const failed = new Error("The database does not answer.");

describe("several readings together", () => {
  test("have no data until each has some, and then that of each by its name", () => {
    const one = reading<number>({ data: 1 });
    expect(together({ one, other: reading<number>({}) }).data).toBeUndefined();
    expect(together({ one, other: reading<number>({ data: 2 }) }).data).toEqual({ one: 1, other: 2 });
  });

  test("are as old as the oldest of them", () => {
    const readings = { one: reading({ dataUpdatedAt: 5 }), other: reading({ dataUpdatedAt: 3 }) };
    expect(together(readings).dataUpdatedAt).toBe(3);
  });

  test("report what is missing before what is old", () => {
    const old = reading({ data: 1, error: new Error("old") });
    expect(together({ old, missing: reading({ error: failed }) }).error).toBe(failed);
    expect(together({ old }).error?.message).toBe("old");
  });

  test("request again what is missing or failed only", () => {
    const fine = reading({ data: 1 });
    const missing = reading({});
    const old = reading({ data: 1, error: failed });
    together({ fine, missing, old }).refetch();
    expect([fine, missing, old].map(({ refetch }) => vi.mocked(refetch).mock.calls.length)).toEqual([
      0, 1, 1,
    ]);
  });
});
