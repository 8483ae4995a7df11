import { useNavigate, useSearch } from "@tanstack/react-router";
import { defaultRange, type Range } from "../../../api/monitor.ts";

/** The range that the page's charts show; it stands in the address. */
export function useRange(): [range: Range, choose: (range: Range) => void] {
  const { range = defaultRange } = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (next: Range) =>
    void navigate({
      to: ".",
      search: (was) => ({ ...was, range: next === defaultRange ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  return [range, choose];
}
