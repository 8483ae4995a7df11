import { useRef, useState } from "react";
import type { Progress } from "../api/bulk.ts";
import { focusPage } from "../components/focus-page.ts";

/** How far a change of many is: `through` of `total`. */
interface Going extends Progress {
  total: number;
}

/** A change of many that takes a while: how far it is, and a way to stop it. `What`: which change it is. */
export function useStoppable<What extends object>() {
  const [running, setRunning] = useState<(What & Going) | null>(null);
  const stopper = useRef(new AbortController());
  /** For runBulk (api/bulk.ts). */
  const begin = (what: What, total: number) => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    const onProgress = ({ through, stoppable }: Progress) =>
      setRunning({ ...what, through, stoppable: stoppable && !signal.aborted, total });
    return { signal, onProgress };
  };
  /** What is on its way cannot be called back: from then on there is nothing to stop. */
  const stop = () => {
    stopper.current.abort();
    setRunning((now) => now && { ...now, stoppable: false });
    focusPage();
  };
  return { running, begin, stop, end: () => setRunning(null) };
}
