import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type CheckResult, readResults, resultsAtOnce, resultsQuery } from "../../api/monitor.ts";
import { useKind } from "../use-kind.ts";
import { joinResults } from "./result-runs.ts";

/** The checks of a monitor: the newest ones, which follow what happens, and as many before them as were asked for. */
export function useResults(id: number) {
  const kind = useKind();
  const query = useQuery(resultsQuery(kind, id));
  const [older, setOlder] = useState<readonly CheckResult[]>([]);
  const [isWhole, setWhole] = useState(false);
  const results = query.data && joinResults(query.data, older);
  const more = useMutation({
    mutationFn: (shown: readonly CheckResult[]) => readResults(kind, id, { before: shown.at(-1)?.id }),
    onSuccess: (page, shown) => {
      setOlder([...shown, ...page]);
      setWhole(page.length < resultsAtOnce);
    },
  });
  const mayHaveMore = !isWhole && (results?.length ?? 0) >= resultsAtOnce;
  return { reading: { ...query, data: results }, more, mayHaveMore };
}
