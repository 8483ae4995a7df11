import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { holdOrder, withoutHold } from "../../api/held-order.ts";
import { listKeys } from "../../api/monitor-keys.ts";
import type { MonitorView } from "../../api/monitor-list.ts";
import type { MonitorKind } from "../../kinds.ts";

interface ShownRows {
  view: MonitorView;
  isReading: boolean;
  isReordered: boolean;
}

/**
 * Keeps the rows of a list in their places while somebody is at work in it; afterwards they are sorted again. Gives what
 * sorts them at once.
 */
export function useHeldOrder(
  { id: kind }: MonitorKind,
  { view, isReading, isReordered }: ShownRows,
  isAtWork: boolean,
): () => void {
  const client = useQueryClient();
  // A view that was just asked for comes as it is.
  const [known, setKnown] = useState<MonitorView | null>(null);
  if (!isReading && known !== view) setKnown(view);
  const isHeld = isAtWork && known === view;
  useEffect(() => {
    holdOrder(isHeld ? { kind, view } : undefined);
    return () => holdOrder(undefined);
  }, [kind, view, isHeld]);
  const sortAgain = useCallback(
    () => void withoutHold(() => client.invalidateQueries({ queryKey: listKeys.pages(kind) })),
    [client, kind],
  );
  useEffect(() => {
    if (isReordered && !isAtWork) sortAgain();
  }, [isReordered, isAtWork, sortAgain]);
  return sortAgain;
}
