import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

/** Wider than its place, a table scrolls in itself, with the keyboard too. */
export function ScrollingTable({ children }: { children: ReactNode }) {
  const { t } = useTranslation("frame/assistant");
  const box = useRef<HTMLDivElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => setWider(current.scrollWidth > current.clientWidth));
    for (const one of [current, ...current.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const reachable = isWider ? { tabIndex: 0, role: "region", "aria-label": t("table") } : {};
  return (
    <div ref={box} {...reachable} className="overflow-x-auto focus-visible:-outline-offset-2">
      <table>{children}</table>
    </div>
  );
}
