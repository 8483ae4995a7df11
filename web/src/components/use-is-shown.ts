import { useEffect, useRef } from "react";

/** Says whether what uses it is still on the page: what it asked for may be answered later. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return () => isShown.current;
}
